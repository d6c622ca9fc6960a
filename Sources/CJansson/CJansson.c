// The package manager builds a C target only when it has a source file; everything is in the header.
#include "CJansson.h"
