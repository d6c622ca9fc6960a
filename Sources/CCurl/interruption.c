/* interruption.c - ends the waits of a client, also from a signal handler: a counter that each wait compares, and the event counter
 * that wakes its loop. */
#include "side.h"
#include "CSystemMemory.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

ccurl_interruption *ccurl_interruption_new(void)
{
    ccurl_interruption *const made = csystem_allocate(sizeof *made);
    if (made) {
        atomic_init(&made->count, 0);
        atomic_init(&made->wake, -1);
    }
    return made;
}

void ccurl_interruption_free(ccurl_interruption *interruption) { csystem_free(interruption); }

void ccurl_interruption_raise(ccurl_interruption *interruption)
{
    const int before = errno; /* a signal handler must not change errno */
    const uint64_t one = 1;
    int wake;
    atomic_fetch_add(&interruption->count, 1);
    wake = atomic_load(&interruption->wake);
    if (wake >= 0)
        (void)!write(wake, &one, sizeof one);
    errno = before;
}

uint32_t ccurl_interruption_count(const ccurl_interruption *interruption) { return atomic_load(&interruption->count); }
