/* system.c - implements CSystem.h, and functions of newer libcs that the Embedded Swift runtime needs. */
#define _GNU_SOURCE
#include "CSystem.h"
#include "CSystemMemory.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* --- Lock --- */

struct csystem_lock {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
};

csystem_lock *csystem_lock_new(void)
{
    pthread_condattr_t attributes;
    csystem_lock *const lock = csystem_allocate_needed(sizeof *lock);
    if (!lock || pthread_mutex_init(&lock->mutex, NULL) != 0 || pthread_condattr_init(&attributes) != 0)
        csystem_trap();
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    if (pthread_cond_init(&lock->condition, &attributes) != 0)
        csystem_trap();
    pthread_condattr_destroy(&attributes);
    return lock;
}

void csystem_lock_free(csystem_lock *lock)
{
    pthread_cond_destroy(&lock->condition);
    pthread_mutex_destroy(&lock->mutex);
    csystem_free(lock);
}

void csystem_lock_acquire(csystem_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
}

void csystem_lock_release(csystem_lock *lock)
{
    pthread_mutex_unlock(&lock->mutex);
}

static struct timespec moment(int64_t milliseconds)
{
    return (struct timespec) { .tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000 };
}

void csystem_lock_wait(csystem_lock *lock, int64_t until)
{
    const struct timespec end = moment(until < 0 ? 0 : until);
    if (until < 0)
        pthread_cond_wait(&lock->condition, &lock->mutex);
    else
        pthread_cond_timedwait(&lock->condition, &lock->mutex, &end);
}

void csystem_lock_notify(csystem_lock *lock)
{
    pthread_cond_broadcast(&lock->condition);
}

/* --- The locale of the program must not affect the decimal point and the language of errors --- */

static locale_t c_locale;

static void make_c_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c_locale)
        csystem_trap();
}

static locale_t the_c_locale(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_c_locale);
    return c_locale;
}

/* --- Threads and processes --- */

static CSYSTEM_THREAD_LOCAL const struct csystem_frame *frames;

void csystem_frame_enter(struct csystem_frame *frame, const void *owner)
{
    frame->owner = owner;
    frame->outer = frames;
    frames = frame;
}

void csystem_frame_leave(const struct csystem_frame *frame) { frames = frame->outer; }

int32_t csystem_frame_has(const void *owner)
{
    const struct csystem_frame *frame = frames;
    while (frame && frame->owner != owner)
        frame = frame->outer;
    return frame != NULL;
}

uintptr_t csystem_thread(void)
{
    return (uintptr_t)pthread_self();
}

struct start {
    void (*body)(void *);
    void *argument;
};

static void *run(void *given)
{
    const struct start start = *(struct start *)given;
    csystem_free(given);
    start.body(start.argument);
    return NULL;
}

int32_t csystem_thread_start(uintptr_t *thread, void (*body)(void *), void *argument)
{
    sigset_t all, before;
    pthread_t started;
    int32_t result;
    struct start *start = csystem_allocate(sizeof *start);
    if (!start)
        return ENOMEM;
    start->body = body;
    start->argument = argument;
    sigfillset(&all); /* signals are handled by the threads of the program */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    result = pthread_create(&started, NULL, run, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (result == 0)
        *thread = (uintptr_t)started;
    else
        csystem_free(start);
    return result;
}

void csystem_thread_end(uintptr_t thread)
{
    if (pthread_equal((pthread_t)thread, pthread_self()))
        pthread_detach((pthread_t)thread);
    else
        pthread_join((pthread_t)thread, NULL);
}

/* Determined once for each thread, because it takes microseconds; an empty range if it is unknown. */
static CSYSTEM_THREAD_LOCAL uintptr_t stack_low, stack_size;

static __attribute__((noinline)) void find_stack(void)
{
    pthread_attr_t attributes;
    void *start = NULL;
    size_t size = 0, guard = 0;
    const int failure = pthread_getattr_np(pthread_self(), &attributes);
    if (failure == ENOMEM) { /* the next call tries again: code that does not know its stack must not recurse */
        csystem_memory_fail();
        return;
    }
    stack_low = 1;
    if (failure != 0)
        return;
    if (pthread_attr_getstack(&attributes, &start, &size) == 0 && pthread_attr_getguardsize(&attributes, &guard) == 0 && size > guard) {
        stack_low = (uintptr_t)start + guard;
        stack_size = size - guard;
    }
    pthread_attr_destroy(&attributes);
}

ptrdiff_t csystem_stack_left(void)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (!stack_low)
        find_stack();
    if (!stack_low)
        return 0;
    return here - stack_low < stack_size ? (ptrdiff_t)(here - stack_low) : PTRDIFF_MAX;
}

static pthread_once_t fork_once = PTHREAD_ONCE_INIT;
static uint32_t fork_count;

static void count_fork(void)
{
    fork_count++; /* runs in the child, which has one thread */
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, count_fork);
}

uint32_t csystem_fork_count(void)
{
    pthread_once(&fork_once, watch_forks);
    return fork_count;
}

/* --- Files --- */

/* The size of fstat is only the initial capacity: it is 0 for pipes and /proc, and a file may grow while it is read. */
int32_t csystem_read_descriptor(int32_t file, size_t limit, uint8_t **bytes, size_t *count)
{
    struct stat status;
    size_t capacity = 4096, length = 0;
    uint8_t *buffer;

    if (fstat(file, &status) != 0)
        return errno;
    if (S_ISDIR(status.st_mode))
        return EISDIR;
    if (S_ISREG(status.st_mode) && status.st_size > 0) {
        if ((uintmax_t)status.st_size > limit)
            return EFBIG;
        capacity = (size_t)status.st_size + 2;
    }
    buffer = csystem_allocate(capacity);
    if (!buffer)
        return ENOMEM;
    for (;;) {
        ssize_t got = read(file, buffer + length, capacity - 1 - length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            int32_t failure = errno;
            csystem_free(buffer);
            return failure;
        }
        if (got == 0)
            break;
        length += (size_t)got;
        if (length > limit) {
            csystem_free(buffer);
            return EFBIG;
        }
        if (length == capacity - 1) {
            uint8_t *larger = capacity > SIZE_MAX / 2 ? NULL : csystem_resize(buffer, capacity * 2);
            if (!larger) {
                csystem_free(buffer);
                return ENOMEM;
            }
            buffer = larger;
            capacity *= 2;
        }
    }
    buffer[length] = 0;
    *bytes = buffer;
    *count = length;
    return 0;
}

int32_t csystem_read_file(const char *path, size_t limit, uint8_t **bytes, size_t *count)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    int32_t result;
    if (file < 0)
        return errno;
    result = csystem_read_descriptor(file, limit, bytes, count);
    close(file);
    return result;
}

size_t csystem_error_text(int32_t error_number, char *buffer, size_t capacity)
{
    const char *text = strerror_l(error_number, the_c_locale()); /* strerror is localized; strerrordesc_np exists only in glibc */
    size_t length;
    if (capacity == 0)
        return 0;
    if (!text)
        text = "unknown error";
    length = strlen(text);
    if (length > capacity - 1)
        length = capacity - 1;
    memcpy(buffer, text, length);
    buffer[length] = 0;
    return length;
}

int64_t csystem_monotonic_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t csystem_monotonic_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t csystem_next_number(void)
{
    static int64_t number;
    return __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED);
}

int64_t csystem_wall_seconds(void)
{
    return (int64_t)time(NULL);
}

void csystem_sleep_until(int64_t monotonic_ms)
{
    const struct timespec end = moment(monotonic_ms);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR) {
    }
}

uint32_t csystem_random(void)
{
    uint32_t number;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        number = (uint32_t)now.tv_nsec * 2654435761u;
    }
    return number;
}

int32_t csystem_random_bytes(uint8_t *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t got = getrandom(bytes, count, 0);
        if (got < 0 && errno != EINTR)
            return errno;
        if (got > 0) {
            bytes += got;
            count -= (size_t)got;
        }
    }
    return 0;
}

/* --- Many bytes --- */

/* memcpy copies a large block with one REP MOVSB, which takes up to twenty times as long on some processors if the two addresses
 * differ by 1 to 31 bytes modulo the page size (glibc bug 30994).  In this case the block is copied in pieces of a size for which
 * memcpy uses other instructions, which takes up to three times as long as the fastest copy. */
enum { PIECE = 1024, PAGE = 4096, NEAR = 63 };

void csystem_copy(void *to, const void *from, size_t count)
{
    uint8_t *place = to;
    const uint8_t *next = from;
    if (((uintptr_t)to - (uintptr_t)from + NEAR) % PAGE <= 2 * NEAR)
        for (; count > PIECE; count -= PIECE, place += PIECE, next += PIECE)
            memcpy(place, next, PIECE);
    memcpy(place, next, count);
}

/* --- Addresses and numbers --- */

int32_t csystem_is_ipv6(const uint8_t *text, size_t count)
{
    char copy[INET6_ADDRSTRLEN];
    struct in6_addr address;
    if (count >= sizeof copy || memchr(text, 0, count))
        return 0;
    memcpy(copy, text, count);
    copy[count] = '\0';
    return inet_pton(AF_INET6, copy, &address) == 1;
}

double csystem_parse_double(const char *text)
{
    return strtod_l(text, NULL, the_c_locale());
}

size_t csystem_print_double(double number, char *buffer, size_t capacity)
{
    char text[40];
    int length = 0, digits;
    locale_t of_host = uselocale(the_c_locale());
    for (digits = 15; digits <= 17; digits++) {
        length = snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    uselocale(of_host);
    if (capacity == 0 || length < 0)
        return 0;
    if ((size_t)length > capacity - 1)
        length = (int)(capacity - 1);
    memcpy(buffer, text, (size_t)length);
    buffer[length] = 0;
    return (size_t)length;
}

/* --- Traps --- */

_Noreturn void csystem_trap(void)
{
    char line[160];
    const char *where = __builtin_return_address(0);
    Dl_info library;
    int length;
    if (dladdr(where, &library) != 0 && library.dli_fbase)
        length = snprintf(line, sizeof line, "routable: a check inside the library failed at +0x%zx; please report this\n",
                          (size_t)(where - (const char *)library.dli_fbase));
    else
        length = snprintf(line, sizeof line, "routable: a check inside the library failed at %p; please report this\n",
                          (const void *)where);
    if (length > 0 && write(STDERR_FILENO, line, (size_t)length) < 0) {
        /* There is no further place to report the failure. */
    }
    abort();
}

/* --- Functions that the Embedded Swift standard library calls; the ordinary runtime contains them --- */

#ifdef ROUTABLE_EMBEDDED

/* glibc has this function since 2.36.  Dictionary and Set get their seed from it. */
void arc4random_buf(void *buffer, size_t count)
{
    uint8_t *next = buffer;
    while (count > 0) {
        ssize_t got = getrandom(next, count > 256 ? 256 : count, 0);
        if (got < 0) {
            if (errno == EINTR)
                continue;
            csystem_trap();
        }
        next += got;
        count -= (size_t)got;
    }
}

/* Double("1.5").  Returns the end of the number, or NULL if the text does not contain one. */
const char *_swift_stdlib_strtod_clocale(const char *text, double *result)
{
    char *end = NULL;
    if (strcmp(text, "nan") == 0 || strcmp(text, "NaN") == 0 || strcmp(text, "NAN") == 0) {
        *result = __builtin_nan("");
        return text + strlen(text);
    }
    *result = strtod_l(text, &end, the_c_locale());
    return end == text ? NULL : end;
}

#endif
