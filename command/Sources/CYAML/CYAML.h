/* libyaml, whose events are read in Sources/RoutableCommand/YAML. */
#include <yaml.h>
