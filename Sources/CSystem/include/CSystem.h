/* CSystem.h - the functions of the operating system that the library needs.
 *
 * Embedded Swift has no Glibc module, no errno and no Mutex.  These functions provide plain typed calls for Swift.  They are
 * internal: the version script of the library exports none of them. */
#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#if UINTPTR_MAX != UINT64_MAX
#error "Routable needs a processor of 64 bits: the layouts of its structs and the limits of its arithmetic are for 64-bit pointers."
#endif

/* Changes `*number` from `from` to `to` atomically; returns whether it had the value `from`. */
static inline _Bool csystem_advance(int64_t *_Nonnull number, int64_t from, int64_t to)
{
    return __atomic_compare_exchange_n(number, &from, to, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Loads a pointer that other threads may store (acquire): what they wrote before the store is visible. */
static inline const void *_Nullable csystem_load(const void *_Nullable const *_Nonnull place)
{
    return __atomic_load_n(place, __ATOMIC_ACQUIRE);
}

static inline void csystem_store(const void *_Nullable *_Nonnull place, const void *_Nullable pointer)
{
    __atomic_store_n(place, pointer, __ATOMIC_RELEASE);
}

/* Takes a pointer atomically, so that no other thread can take it. */
static inline const void *_Nullable csystem_take(const void *_Nullable *_Nonnull place)
{
    return __atomic_exchange_n(place, NULL, __ATOMIC_ACQ_REL);
}

/* Copies the bytes of a name or an id, most of which have at most 16 bytes: these are copied without a call. */
static inline void csystem_copy_short(void *_Nonnull to, const void *_Nonnull from, size_t count)
{
    const char *in = (const char *)from;
    char *out = (char *)to;
    if (count > 16) {
        __builtin_memcpy(out, in, count);
    } else if (count >= 8) {
        uint64_t first, last; /* the words may overlap */
        __builtin_memcpy(&first, in, 8);
        __builtin_memcpy(&last, in + count - 8, 8);
        __builtin_memcpy(out, &first, 8);
        __builtin_memcpy(out + count - 8, &last, 8);
    } else if (count >= 4) {
        uint32_t first, last;
        __builtin_memcpy(&first, in, 4);
        __builtin_memcpy(&last, in + count - 4, 4);
        __builtin_memcpy(out, &first, 4);
        __builtin_memcpy(out + count - 4, &last, 4);
    } else if (count != 0) {
        const char first = in[0], middle = in[count / 2], last = in[count - 1];
        out[0] = first;
        out[count / 2] = middle;
        out[count - 1] = last;
    }
}

/* Whether the bytes of two names are equal: without a call for at most 16 bytes. */
static inline _Bool csystem_is_same(const void *_Nonnull one, const void *_Nonnull other, size_t count)
{
    const char *left = (const char *)one, *right = (const char *)other;
    if (count > 16)
        return __builtin_memcmp(left, right, count) == 0;
    if (count >= 8) {
        uint64_t a, b, c, d; /* the words may overlap */
        __builtin_memcpy(&a, left, 8);
        __builtin_memcpy(&b, right, 8);
        __builtin_memcpy(&c, left + count - 8, 8);
        __builtin_memcpy(&d, right + count - 8, 8);
        return ((a ^ b) | (c ^ d)) == 0;
    }
    if (count >= 4) {
        uint32_t a, b, c, d;
        __builtin_memcpy(&a, left, 4);
        __builtin_memcpy(&b, right, 4);
        __builtin_memcpy(&c, left + count - 4, 4);
        __builtin_memcpy(&d, right + count - 4, 4);
        return ((a ^ b) | (c ^ d)) == 0;
    }
    return count == 0
        || (left[0] == right[0] && left[count / 2] == right[count / 2] && left[count - 1] == right[count - 1]);
}

/* Continues a hash with these bytes, eight at a time. */
static inline uint32_t csystem_hash_name(uint32_t start, const void *_Nonnull bytes, size_t count)
{
    const unsigned char *next = (const unsigned char *)bytes;
    uint64_t hash = start, word = 0;
    size_t left = count;
    for (; left > 8; left -= 8, next += 8) {
        __builtin_memcpy(&word, next, 8);
        hash = (hash ^ word) * UINT64_C(0x9FB21C651E98DF25);
        hash ^= hash >> 29;
    }
    if (left >= 4) {
        uint32_t first, last;
        __builtin_memcpy(&first, next, 4);
        __builtin_memcpy(&last, next + left - 4, 4);
        word = (uint64_t)first << 32 | last;
    } else if (left != 0) {
        word = (uint64_t)next[0] << 16 | (uint64_t)next[left / 2] << 8 | next[left - 1];
    }
    hash = (hash ^ word) * UINT64_C(0x9FB21C651E98DF25);
    hash ^= hash >> 29;
    return (uint32_t)(((hash ^ (uint64_t)count) * UINT64_C(0x9E3779B97F4A7C15)) >> 32);
}

/* A lock that is not recursive.  It is allocated on the heap because its address must not change. */
typedef struct csystem_lock csystem_lock;

csystem_lock *_Nonnull csystem_lock_new(void); /* allocated like an object of Swift */
void csystem_lock_free(csystem_lock *_Nonnull lock);
void csystem_lock_acquire(csystem_lock *_Nonnull lock);
void csystem_lock_release(csystem_lock *_Nonnull lock);

/* Releases the lock, waits until csystem_lock_notify is called or until this time of csystem_monotonic_ms (negative: no limit), and
 * acquires the lock again.  It may return spuriously. */
void csystem_lock_wait(csystem_lock *_Nonnull lock, int64_t until);
/* Wakes all waiting threads; the caller holds the lock. */
void csystem_lock_notify(csystem_lock *_Nonnull lock);

/* The calling thread, as a number that is unique among the running threads. */
uintptr_t csystem_thread(void);

/* A running call of a function of the program on this thread, and the object that made the call. */
struct csystem_frame {
    const void *_Nullable owner;
    const struct csystem_frame *_Nullable outer;
};
void csystem_frame_enter(struct csystem_frame *_Nonnull frame, const void *_Nonnull owner);
void csystem_frame_leave(const struct csystem_frame *_Nonnull frame);
/* Whether this thread is running a function of the program that this object called. */
int32_t csystem_frame_has(const void *_Nonnull owner);
/* Starts a thread with all signals blocked that runs `body(argument)`.  Returns 0, or an errno. */
int32_t csystem_thread_start(
    uintptr_t *_Nonnull thread, void (*_Nonnull body)(void *_Nullable), void *_Nullable argument);
/* Waits for the end of a started thread; if called by the thread itself, detaches it. */
void csystem_thread_end(uintptr_t thread);

/* The number of bytes that are left on the calling thread's stack; PTRDIFF_MAX on a stack that is not the original one of the
 * thread. */
ptrdiff_t csystem_stack_left(void);

/* The number of times that this process and its ancestors were forked since the first call. */
uint32_t csystem_fork_count(void);

/* Reads a whole file of at most `limit` bytes.  Returns 0, or an errno: EFBIG for a longer file, EISDIR for a directory.  On
 * success `*bytes` is never NULL, a NUL follows the `*count` bytes, and csystem_free frees them. */
int32_t csystem_read_file(
    const char *_Nonnull path, size_t limit, uint8_t *_Nullable *_Nonnull bytes, size_t *_Nonnull count);
/* Like csystem_read_file, for an open file, which is not closed. */
int32_t csystem_read_descriptor(
    int32_t file, size_t limit, uint8_t *_Nullable *_Nonnull bytes, size_t *_Nonnull count);

/* The text of an errno in English, with a NUL, cut to `capacity`.  Returns its length. */
size_t csystem_error_text(int32_t error_number, char *_Nonnull buffer, size_t capacity);

/* The milliseconds of a monotonic clock, for deadlines. */
int64_t csystem_monotonic_ms(void);
/* The microseconds of the same clock, for measurements. */
int64_t csystem_monotonic_us(void);
/* Returns 1, and with each call the next number, in any thread. */
int64_t csystem_next_number(void);
/* The seconds since the start of 1970. */
int64_t csystem_wall_seconds(void);
void csystem_sleep_until(int64_t monotonic_ms);
/* A random number, or one from the clock if the system has none. */
uint32_t csystem_random(void);
/* Writes the 32 bytes of the SHA-256 digest; `bytes` may be NULL if there are none. */
void csystem_sha256(const uint8_t *_Nullable bytes, size_t count, uint8_t *_Nonnull digest);
/* Fills memory with cryptographically secure random bytes; blocks until the system's generator is ready.  Returns 0 or an errno. */
int32_t csystem_random_bytes(uint8_t *_Nonnull bytes, size_t count);

/* Copies bytes, possibly many, to memory that does not overlap them. */
void csystem_copy(void *_Nonnull to, const void *_Nonnull from, size_t count);

/* The number at the start of `text`, which is NUL-terminated, with a decimal point in every locale of the program; 0 if there is
 * none, infinity if it is too large. */
double csystem_parse_double(const char *_Nonnull text);

/* The shortest form of "%.17g" that is read as the same number, with a NUL, cut to `capacity` (32 is always sufficient).  Numbers
 * that are not finite: "inf", "-inf", "nan".  Returns the length. */
size_t csystem_print_double(double number, char *_Nonnull buffer, size_t capacity);

/* Returns 1 if the bytes are the text of an IPv6 address (RFC 4291 section 2.2). */
int32_t csystem_is_ipv6(const uint8_t *_Nonnull text, size_t count);

/* Called by failed checks of the Swift code: prints one line that asks for a report, and aborts.  No input through routable.h may
 * lead to this call. */
_Noreturn void csystem_trap(void);

#endif
