/* bench.c - measures opening, matching and building, through the shared library and the public header.
 *
 *   bench match ROUTES URLS     one route per line (":name" or "{name}" is a parameter), one path per line
 *   bench build TSV [EXPECT]    three path values and two query values per line; EXPECT contains the URLs
 *   bench open ROUTES
 *   bench once ROUTES URLS      matches each path twice without a measurement
 *
 * Each figure is measured in rounds that alternate with hand-written C code for the same work (floor.c, floor_build.c), so that the
 * ratio is stable on a busy machine: minimum and median over the rounds, in ns per operation. */
#include "measure.h"

#include <stdio.h>
#include <string.h>

int main(int count, char **arguments)
{
    const char *const what = count > 1 ? arguments[1] : "";
    if (count == 4 && !strcmp(what, "match")) return bench_match(arguments[2], arguments[3]);
    if (count >= 3 && !strcmp(what, "build")) return bench_build(arguments[2], count > 3 ? arguments[3] : NULL);
    if (count == 4 && !strcmp(what, "once")) return bench_once(arguments[2], arguments[3]);
    if (count == 3 && !strcmp(what, "open")) return bench_open(arguments[2]);
    fprintf(stderr, "usage: %s match ROUTES URLS | build TSV [EXPECT] | open ROUTES | once ROUTES URLS\n", arguments[0]);
    return 2;
}
