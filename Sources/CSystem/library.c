/* library.c - opens libraries at run time. */
#define _GNU_SOURCE
#include "CSystemLibrary.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

void *csystem_library_open(
    const char *name, const struct csystem_symbol *wanted, size_t count, char *reason, size_t capacity)
{
    void *const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    size_t i;
    if (!library) {
        const char *const why = dlerror();
        snprintf(reason, capacity, "%s", why ? why : "unknown");
        return NULL;
    }
    for (i = 0; i < count; i++) {
        void *symbol = dlsym(library, wanted[i].name);
        if (!symbol) {
            snprintf(reason, capacity, "it has no %s", wanted[i].name);
            dlclose(library);
            return NULL;
        }
        memcpy(wanted[i].where, &symbol, sizeof symbol);
    }
    return library;
}
