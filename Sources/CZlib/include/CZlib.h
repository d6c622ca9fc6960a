/* CZlib.h - decodes received bodies with the content codings gzip and deflate, by zlib, which is opened when it is first required. */
#ifndef ROUTABLE_CZLIB_H
#define ROUTABLE_CZLIB_H

#include <stddef.h>
#include <stdint.h>

enum {
    CZLIB_OK,
    CZLIB_ABSENT, /* zlib cannot be opened */
    CZLIB_WRONG,  /* the bytes are not in the coding, end too early, or continue after its end */
    CZLIB_LIMIT,  /* the result would be over the limit */
    CZLIB_MEMORY,
};

/* Decodes gzip (RFC 1952, also with several members) or deflate (RFC 1950, and RFC 1951 without the header of zlib).  The result is
 * freed with csystem_free.  Any thread may call this function. */
int32_t czlib_decode(
    const uint8_t *_Nullable bytes, size_t count, int32_t is_gzip, size_t limit, void *_Nullable *_Nonnull out, size_t *_Nonnull length);

#endif
