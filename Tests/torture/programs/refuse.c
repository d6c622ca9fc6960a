/* refuse.c - is preloaded into a test program (LD_PRELOAD), and makes one of the allocations of the library fail, or of the libraries
 * that it calls.  Allocations of the tests never fail, because the tests do not check for NULL.
 *
 * Calls of exported functions go through a stub (entries.S, which run generates), so that it is known whether the thread is
 * inside the library.  There an allocation can fail, unless the test program or cmocka is its caller, as in a callback. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

/* The state that run reads after the program has ended; forked children also count. */
static struct state {
    uint64_t seen, refuse, step, is_on, refused, signals;
    char by[256], in[128], fault[1024];
} *state;

/* --- Calls of the library --- */

extern const char *const refuse_names[]; /* entries.S */
extern const uint32_t refuse_count;
extern char refuse_leave_stub[];
static void *functions[1024];

enum { DEEPEST = 64 };
typedef struct entered { void **place, *back; uint32_t function; } entered;
static __attribute__((tls_model("initial-exec"))) _Thread_local entered calls[DEEPEST];
static __attribute__((tls_model("initial-exec"))) _Thread_local uint32_t depth;
/* All allocations fail until the outermost call returns. */
static __attribute__((tls_model("initial-exec"))) _Thread_local int is_without;

/* Makes the function return to the stub below.  Calls that longjmp left are removed: their return addresses are no longer on the stack. */
__attribute__((target("general-regs-only"))) void *refuse_enter(uint32_t function, void **place)
{
    while (depth && (calls[depth - 1].place < place || (calls[depth - 1].place == place && *place != (void *)refuse_leave_stub)))
        depth--;
    if (!depth)
        is_without = 0;
    if (depth < DEEPEST) {
        calls[depth] = (entered) { place, *place, function };
        depth++;
        *place = refuse_leave_stub;
    }
    return functions[function];
}

__attribute__((target("general-regs-only"))) void *refuse_leave(void **place)
{
    while (depth && calls[depth - 1].place < place)
        depth--;
    if (!depth)
        abort();
    if (!--depth)
        is_without = 0;
    return calls[depth].back;
}

/* --- Allocations --- */

enum { RANGES = 8 };
static struct { uintptr_t start, end; } library[RANGES], tests[RANGES];
static int library_count, tests_count;

static int learn(struct dl_phdr_info *info, size_t size, void *unused)
{
    const int is_library = strstr(info->dlpi_name, "libroutable") != NULL;
    const int is_tests = !info->dlpi_name[0] || strstr(info->dlpi_name, "libcmocka") != NULL || strstr(info->dlpi_name, "ld-linux") != NULL;
    size_t part;
    (void)size;
    (void)unused;
    for (part = 0; part < info->dlpi_phnum; part++) {
        const uintptr_t start = info->dlpi_addr + info->dlpi_phdr[part].p_vaddr, end = start + info->dlpi_phdr[part].p_memsz;
        if (info->dlpi_phdr[part].p_type != PT_LOAD || !(info->dlpi_phdr[part].p_flags & PF_X))
            continue;
        if (is_library && library_count < RANGES) {
            library[library_count].start = start;
            library[library_count++].end = end;
        }
        if (is_tests && tests_count < RANGES) {
            tests[tests_count].start = start;
            tests[tests_count++].end = end;
        }
    }
    return 0;
}

static void place_of(const void *at, char *text, size_t size)
{
    Dl_info from;
    if (dladdr((void *)(uintptr_t)at, &from) && from.dli_fname)
        snprintf(text, size, "%s+0x%lx %s", strrchr(from.dli_fname, '/') ? strrchr(from.dli_fname, '/') + 1 : from.dli_fname,
            (unsigned long)((const char *)at - (const char *)from.dli_fbase), from.dli_sname ? from.dli_sname : "");
}

static __attribute__((noinline)) void tell(const void *caller, uint64_t now)
{
    char line[512];
    int length;
    place_of(caller, state->by, sizeof state->by);
    snprintf(state->in, sizeof state->in, "%s", depth ? refuse_names[calls[depth - 1].function] : "a thread of the library");
    length = snprintf(line, sizeof line, "[ REFUSED  ] allocation %lu of %s in %s\n", (unsigned long)now, state->by, state->in);
    if (length > 0 && write(STDOUT_FILENO, line, (size_t)length) < 0)
        return;
}

static int is_refused(const void *caller)
{
    const uintptr_t at = (uintptr_t)caller;
    int i, is_its_own = 0, error = errno;
    uint64_t now;
    static _Thread_local int is_telling;
    if (!state || is_telling)
        return 0;
    for (i = 0; i < library_count; i++)
        is_its_own |= at >= library[i].start && at < library[i].end;
    if (!is_its_own) {
        if (!depth)
            return 0;
        for (i = 0; i < tests_count; i++)
            if (at >= tests[i].start && at < tests[i].end)
                return 0;
    }
    now = __atomic_add_fetch(&state->seen, 1, __ATOMIC_RELAXED);
    if (is_without) {
        __atomic_add_fetch(&state->refused, 1, __ATOMIC_RELAXED);
        return 1;
    }
    if (state->refuse == 0 || now < state->refuse || (state->step ? (now - state->refuse) % state->step != 0 : now != state->refuse))
        return 0;
    is_telling = 1;
    if (__atomic_fetch_add(&state->refused, 1, __ATOMIC_RELAXED) < 40 || !state->step)
        tell(caller, now);
    is_telling = 0;
    is_without = state->is_on && depth;
    errno = error;
    return 1;
}

#define REFUSED is_refused(__builtin_return_address(0))

void *malloc(size_t size) { return REFUSED ? (errno = ENOMEM, NULL) : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return REFUSED ? (errno = ENOMEM, NULL) : __libc_calloc(count, size); }
void *realloc(void *memory, size_t size) { return REFUSED ? (errno = ENOMEM, NULL) : __libc_realloc(memory, size); }
void *aligned_alloc(size_t alignment, size_t size) { return REFUSED ? (errno = ENOMEM, NULL) : __libc_memalign(alignment, size); }
void *memalign(size_t alignment, size_t size) { return REFUSED ? (errno = ENOMEM, NULL) : __libc_memalign(alignment, size); }

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *const memory = REFUSED ? NULL : __libc_memalign(alignment, size);
    if (!memory)
        return ENOMEM;
    *out = memory;
    return 0;
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset)
{
    if (REFUSED) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, address, length, protection, flags, file, offset);
}

/* --- The end of the process --- */

static int is_fatal(int number) { return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGABRT; }

/* cmocka catches faults and continues with the next test: here they end the process. */
__sighandler_t signal(int number, __sighandler_t handler)
{
    struct sigaction action = { 0 }, before;
    if (is_fatal(number))
        return SIG_DFL;
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    return sigaction(number, &action, &before) ? SIG_ERR : before.sa_handler;
}

static void on_fault(int number, siginfo_t *information, void *given)
{
    char place[200] = "?";
    const void **frame = (const void **)((ucontext_t *)given)->uc_mcontext.gregs[REG_RBP];
    const char *const stack = (const char *)((ucontext_t *)given)->uc_mcontext.gregs[REG_RSP];
    size_t length;
    int i;
    (void)information;
    place_of((const void *)((ucontext_t *)given)->uc_mcontext.gregs[REG_RIP], place, sizeof place);
    if (__atomic_fetch_add(&state->signals, 1, __ATOMIC_RELAXED) == 0) {
        length = (size_t)snprintf(state->fault, sizeof state->fault, "signal %d at %s in %s", number, place, depth ? refuse_names[calls[depth - 1].function] : "the tests");
        /* The library's Swift code keeps frame pointers. */
        for (i = 0; i < 14 && (const char *)frame > stack && (const char *)frame < stack + (64 << 10) && length < sizeof state->fault; i++) {
            place_of(frame[1], place, sizeof place);
            length += (size_t)snprintf(state->fault + length, sizeof state->fault - length, " < %s", place);
            frame = frame[0] > (const void *)frame ? (const void **)(uintptr_t)frame[0] : NULL;
        }
    }
    sigaction(number, &(struct sigaction) { .sa_handler = SIG_DFL }, NULL);
    raise(number);
}

static __attribute__((constructor)) void begin(void)
{
    const char *const path = getenv("REFUSE_STATE");
    const int file = path ? open(path, O_RDWR) : -1;
    struct state *mapped;
    uint32_t i;
    unsetenv("LD_PRELOAD"); /* not for programs that the tests start */
    if (file < 0)
        return;
    mapped = (struct state *)syscall(SYS_mmap, NULL, sizeof *mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapped == MAP_FAILED || refuse_count > sizeof functions / sizeof *functions)
        abort();
    for (i = 0; i < refuse_count; i++)
        functions[i] = dlsym(RTLD_NEXT, refuse_names[i]);
    dl_iterate_phdr(learn, NULL);
    setvbuf(stdout, NULL, _IONBF, 0);
    setrlimit(RLIMIT_CORE, &(struct rlimit) { 0, 0 });
    for (i = 1; i < 32; i++)
        if (is_fatal((int)i))
            sigaction((int)i, &(struct sigaction) { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER }, NULL);
    state = mapped;
}
