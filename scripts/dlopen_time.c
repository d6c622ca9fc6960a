/* Prints the nanoseconds of one dlopen of the library in this process, which has loaded none of its dependencies before, so that
 * they are included.  check_library runs it several times and uses the minimum. */
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

int main(int argc, char **argv)
{
    struct timespec start, end;
    void *library;
    if (argc != 2)
        return 2;
    clock_gettime(CLOCK_MONOTONIC, &start);
    library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    printf("%lld\n", (end.tv_sec - start.tv_sec) * 1000000000LL + (end.tv_nsec - start.tv_nsec));
    return 0;
}
