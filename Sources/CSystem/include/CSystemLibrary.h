/* CSystemLibrary.h - opens libraries at run time, for the shims of libcurl, libyaml and zlib.  Not imported by Swift. */
#ifndef ROUTABLE_CSYSTEM_LIBRARY_H
#define ROUTABLE_CSYSTEM_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

/* A function to look up, and the address of the pointer that receives its address. */
struct csystem_symbol { const char *name; void *where; };

/* Opens a library and looks up all functions.  Returns its handle for dlsym and dlclose, or NULL with the reason in `reason`, which
 * is cut to `capacity`. */
void *csystem_library_open(
    const char *name, const struct csystem_symbol *wanted, size_t count, char *reason, size_t capacity);

/* The ELF note by which packaging tools find libraries that are opened at run time (uapi-group.org, ELF dlopen metadata). */
#define CSYSTEM_LIBRARY_NOTE(metadata)                                                                 \
    __attribute__((used, section(".note.dlopen"))) _Alignas(4) static const struct {                    \
        uint32_t name_size, content_size, type;                                                         \
        char name[4];                                                                                   \
        _Alignas(4) char content[sizeof metadata];                                                      \
    } dlopen_note = { 4, sizeof metadata, 0x407c0c0a, "FDO", metadata }

#endif
