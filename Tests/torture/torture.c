/* torture.c - runs the scenarios with each of their allocations failing in turn, and reports.
 *
 *   torture [--jobs N --job I] [--seconds S] [--only NAME]
 *
 * Each scenario runs in a child process; if a run ends the process, another child continues after that run.  The addresses of two
 * variables of the library are in TORTURE_SPECIAL and TORTURE_MOST_USED, as offsets (Tests/torture/run determines them). */
#define _GNU_SOURCE
#include "checks.h"

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

outputs o;
routable_error *error;
routable_status status, expected;
int torture_may_fail, torture_is_cut, torture_tolerates;
routable_router *social, *typed;

enum { FUNCTIONS = 400, MOST = 3000, RUNS_BEFORE = 3, SAID = 400, PROBLEMS = 12 };

typedef struct function { char name[64]; long calls, allocations, refused, memory, fine; } function;
/* The results of a child, in shared memory. */
static struct results {
    long count, next, refused, runs, memory, others;
    int is_done, ended, problems;
    size_t most_used;
    char said[PROBLEMS][SAID];
    long function_count;
    function functions[FUNCTIONS];
} *results;

static const char *name;
static long *special_of_library;
static size_t *most_used_of_library;
static int slot, was_refused;
static long refused_before, seen_before;

/* --- Calls --- */

int torture_slot(const char *function)
{
    long i;
    for (i = 0; i < results->function_count; i++)
        if (!strcmp(results->functions[i].name, function))
            return (int)i;
    if (i == FUNCTIONS)
        abort();
    snprintf(results->functions[i].name, sizeof results->functions[i].name, "%s", function);
    results->function_count = i + 1;
    return (int)i;
}

static void problem(const char *format, ...)
{
    va_list arguments;
    Dl_info from;
    if (results->problems < PROBLEMS) {
        char *const place = results->said[results->problems];
        int length = snprintf(place, SAID, "%s, allocation %ld%s: ", name, torture_refuse, torture_forever ? " and on" : "");
        va_start(arguments, format);
        vsnprintf(place + length, SAID - (size_t)length, format, arguments);
        va_end(arguments);
        length = (int)strlen(place);
        if (torture_refused && torture_caller && dladdr((void *)(uintptr_t)torture_caller, &from) && from.dli_fname)
            snprintf(place + length, SAID - (size_t)length, " [asked by %s+0x%lx %s]", strrchr(from.dli_fname, '/') ? strrchr(from.dli_fname, '/') + 1 : from.dli_fname,
                (unsigned long)((const char *)torture_caller - (const char *)from.dli_fbase), from.dli_sname ? from.dli_sname : "");
    }
    results->problems++;
}

void torture_prepare(void)
{
    memset(&o, 0x5A, sizeof o);
    error = UNTOUCHED_ERROR;
}

void torture_enter(int of)
{
    slot = of;
    refused_before = torture_refused;
    seen_before = torture_seen;
    torture_is_armed = 1;
}

void torture_leave(void)
{
    function *const here = &results->functions[slot];
    torture_is_armed = 0;
    was_refused = torture_refused != refused_before;
    if (was_refused)
        torture_refuse = 0; /* until the call returns */
    here->calls++;
    here->allocations += torture_seen - seen_before;
    here->refused += torture_refused - refused_before;
}

static int is_untouched(void)
{
    const unsigned char *const bytes = (const unsigned char *)&o;
    size_t i;
    for (i = 0; i < sizeof o; i++)
        if (bytes[i] != 0x5A)
            return 0;
    return 1;
}

int torture_again(void)
{
    function *const here = &results->functions[slot];
    const routable_status wanted = expected;
    const int may_fail = torture_may_fail;
    const int has_error = error != UNTOUCHED_ERROR && error;
    if (status >= ROUTABLE_ERR_ARGUMENT && !is_untouched())
        problem("%s fails with %s, and has changed an output", here->name, routable_status_name(status));
    if (error != UNTOUCHED_ERROR && has_error != (status >= ROUTABLE_ERR_ARGUMENT))
        problem("%s returns %s, and %s error", here->name, routable_status_name(status), has_error ? "an" : "no");
    if (has_error && routable_error_status(error) != status)
        problem("%s returns %s, and the error has another status", here->name, routable_status_name(status));
    torture_may_fail = 0;
    if (may_fail && torture_refused > 0 && status >= ROUTABLE_ERR_ARGUMENT && status != wanted) {
        if (status != ROUTABLE_ERR_MEMORY && !torture_tolerates)
            problem("%s fails with %s: %.200s", here->name, routable_status_name(status), has_error ? routable_error_message(error).ptr : "");
        torture_is_cut = 1;
        here->memory++;
        results->memory++;
        if (has_error)
            routable_error_free(error);
        error = NULL;
        return 0;
    }
    if (was_refused && torture_tolerates && (status == ROUTABLE_ERR_TRANSFER || status == ROUTABLE_ERR_NO_CURL || status == ROUTABLE_ERR_LIMIT || status == ROUTABLE_ERR_TIMEOUT || status == ROUTABLE_ERR_TLS)) {
        if (has_error)
            routable_error_free(error);
        error = NULL;
        results->others++;
        return 1;
    }
    if (status == ROUTABLE_ERR_MEMORY && was_refused) {
        if (has_error && routable_error_message(error).len == 0)
            problem("%s: an error without a message", here->name);
        if (has_error)
            routable_error_free(error);
        error = NULL;
        here->memory++;
        results->memory++;
        return 1;
    }
    if (was_refused)
        here->fine++;
    if (status != wanted && status >= ROUTABLE_ERR_ARGUMENT)
        problem("%s fails with %s: %.200s", here->name, routable_status_name(status), has_error ? routable_error_message(error).ptr : "");
    note("%d;", (int)status);
    if (has_error && status != wanted)
        routable_error_free(error);
    if (status != wanted || error == UNTOUCHED_ERROR)
        error = NULL;
    expected = ROUTABLE_OK;
    return 0;
}

/* --- Notes --- */

static char noted[2][1 << 17];
static size_t noted_length;

void note(const char *format, ...)
{
    va_list arguments;
    int length;
    if (torture_is_cut)
        return;
    va_start(arguments, format);
    length = vsnprintf(noted[1] + noted_length, sizeof noted[1] - noted_length, format, arguments);
    va_end(arguments);
    noted_length += (size_t)length;
    if (noted_length >= sizeof noted[1])
        abort();
}

void torture_forget(void) { noted_length = 0; }

/* --- Runs --- */

static void run_once(const scenario *it, long refuse, int forever)
{
    noted_length = 0;
    noted[1][0] = 0;
    torture_may_fail = torture_is_cut = torture_tolerates = 0;
    torture_seen = torture_refused = 0;
    torture_refuse = refuse;
    torture_forever = forever;
    expected = ROUTABLE_OK;
    it->run();
    torture_refuse = refuse; /* for the report */
}

static int is_of_libcurl(const void *at)
{
    Dl_info from;
    return torture_tolerates && at && dladdr((void *)(uintptr_t)at, &from) && from.dli_fname && strstr(from.dli_fname, "libcurl");
}

/* Reports the location of a fault of the child. */
static void on_fault(int number, siginfo_t *information, void *given)
{
#if defined(__x86_64__)
    const char *const at = (const char *)((ucontext_t *)given)->uc_mcontext.gregs[REG_RIP];
#else
    const char *const at = (const char *)((ucontext_t *)given)->uc_mcontext.pc;
#endif
    Dl_info from;
    (void)information;
    torture_is_armed = 0;
    if (is_of_libcurl(at)) {
        results->others++; /* docs/safety.md lists them */
        _exit(0);
    }
    if (dladdr(at, &from) && from.dli_fname)
        problem("signal %d at %s+0x%lx", number, strrchr(from.dli_fname, '/') ? strrchr(from.dli_fname, '/') + 1 : from.dli_fname, (unsigned long)(at - (const char *)from.dli_fbase));
    signal(number, SIG_DFL);
}

static void run_all(const scenario *it, double until)
{
    struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
    long special, live, n;
    struct timespec now;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    for (n = 0; n < RUNS_BEFORE; n++)
        run_once(it, 0, 0);
    memcpy(noted[0], noted[1], sizeof noted[0]);
    live = torture_live;
    run_once(it, 0, 0);
    if (torture_live != live)
        problem("%ld blocks more behind each run without a refusal", torture_live - live);
    if (strcmp(noted[0], noted[1]) != 0)
        problem("two runs without a refusal differ:\n    %.160s\n    %.160s", noted[0], noted[1]);
    results->count = torture_seen;
    if (torture_seen > MOST)
        problem("%ld allocations are too many", torture_seen);
    live = torture_live;
    special = special_of_library ? *special_of_library : 0;
    /* Even: only this allocation fails; odd: this allocation and all later ones fail. */
    for (n = results->next; n < 2 * results->count; n++) {
        results->next = n + 1; /* also if this run ends the process */
        run_once(it, n / 2 + 1, (int)(n & 1));
        results->runs++;
        results->refused += torture_refused;
        if (torture_is_cut ? strncmp(noted[0], noted[1], noted_length) != 0 : strcmp(noted[0], noted[1]) != 0) {
            size_t at = 0;
            while (noted[0][at] == noted[1][at])
                at++;
            at -= at < 60 ? at : 60;
            problem("noted is\n    %.140s\n  instead of\n    %.140s", noted[1] + at, noted[0] + at);
        }
        if (torture_live != live) {
            const long before = torture_live;
            if (is_of_libcurl(torture_caller))
                results->others++;
            else
                problem("%ld blocks are left", torture_live - live);
            live = before;
        }
        if (special_of_library && *special_of_library != special) {
            const long left = *special_of_library - special;
            run_once(it, 0, 0); /* the remaining blocks may be released by the next call */
            if (*special_of_library != special) {
                problem("%ld blocks or marks are left in the reserve", left);
                special = *special_of_library;
            }
            live = torture_live;
        }
        if (most_used_of_library && *most_used_of_library > results->most_used)
            results->most_used = *most_used_of_library;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if ((double)now.tv_sec + (double)now.tv_nsec / 1e9 > until)
            break;
    }
    results->is_done = 1;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Whether the scenario passed. */
static int torture(const scenario *it, double seconds, FILE *table)
{
    const double start = seconds_now();
    long i;
    int is_well;
    results->count = results->next = results->refused = results->runs = results->memory = results->others = 0;
    results->is_done = results->ended = results->problems = 0;
    results->most_used = 0;
    name = it->name;
    while (!results->is_done) {
        int how = 0;
        const long before = results->next;
        const pid_t child = fork();
        if (child == 0) {
            alarm(120);
            run_all(it, start + seconds);
            _exit(0);
        }
        waitpid(child, &how, 0);
        if (WIFEXITED(how) && WEXITSTATUS(how) == 0)
            continue;
        results->ended++;
        torture_refuse = (results->next - 1) / 2 + 1;
        torture_forever = (int)((results->next - 1) & 1);
        if (results->next == before && before == 0)
            torture_refuse = 0;
        problem("ended by signal %d in %s", WIFSIGNALED(how) ? WTERMSIG(how) : -WEXITSTATUS(how), results->functions[slot].name);
        if (results->next == before || results->ended > 40)
            break;
    }
    is_well = results->problems == 0 && results->ended == 0;
    printf("%-26s %5ld allocations, %6ld runs, %7ld refused: %6ld times memory, %ld times a fault of libcurl, or another failure; reserve %6zu; %d ended, %d problems, %.1f s%s\n", it->name,
        results->count, results->runs, results->refused, results->memory, results->others, results->most_used, results->ended, results->problems,
        seconds_now() - start, results->next < 2 * results->count ? " (not all)" : "");
    for (i = 0; i < results->problems && i < PROBLEMS; i++)
        printf("  %s\n", results->said[i]);
    fflush(stdout);
    (void)table;
    return is_well;
}

static int find_library(struct dl_phdr_info *info, size_t size, void *unused)
{
    const char *const special = getenv("TORTURE_SPECIAL"), *const most = getenv("TORTURE_MOST_USED");
    (void)size;
    (void)unused;
    if (strstr(info->dlpi_name, "libroutable") && special && most) {
        special_of_library = (long *)(info->dlpi_addr + strtoul(special, NULL, 16));
        most_used_of_library = (size_t *)(info->dlpi_addr + strtoul(most, NULL, 16));
    }
    return 0;
}

routable_router *torture_open(const char *document)
{
    routable_router *router = NULL;
    routable_error *failure = NULL;
    if (routable_router_open(document, ROUTABLE_NUL_TERMINATED, NULL, &router, &failure) != ROUTABLE_OK) {
        fprintf(stderr, "%s\n", routable_error_message(failure).ptr);
        exit(2);
    }
    return router;
}

int main(int count, char **words)
{
    const scenario *const groups[] = { router_scenarios, request_scenarios, value_scenarios, screen_scenarios, client_scenarios };
    const char *only = NULL, *table = NULL, *checks = NULL;
    int jobs = 1, job = 0, number = 0, ran = 0, i, failed = 0;
    double seconds = 1e9;
    size_t group;
    FILE *file;
    const scenario *it;
    for (i = 1; i + 1 < count; i += 2) {
        if (!strcmp(words[i], "--jobs")) jobs = atoi(words[i + 1]);
        if (!strcmp(words[i], "--job")) job = atoi(words[i + 1]);
        if (!strcmp(words[i], "--seconds")) seconds = atof(words[i + 1]);
        if (!strcmp(words[i], "--only")) only = words[i + 1];
        if (!strcmp(words[i], "--checks")) checks = words[i + 1];
        if (!strcmp(words[i], "--table")) table = words[i + 1];
    }
    results = mmap(NULL, sizeof *results, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    setrlimit(RLIMIT_CORE, &(struct rlimit) { 0, 0 });
    unsetenv("http_proxy");
    unsetenv("all_proxy");
    dl_iterate_phdr(find_library, NULL);
    {
        routable_error *failure = NULL;
        if (routable_router_open_file("examples/social.json", NULL, &social, &failure) != ROUTABLE_OK) {
            fprintf(stderr, "examples/social.json: %s\n", routable_error_message(failure).ptr);
            return 2;
        }
    }
    make_typed();
    make_service();
    if (checks)
        return run_checks(checks, groups, sizeof groups / sizeof *groups, jobs, job);
    for (group = 0; group < sizeof groups / sizeof *groups; group++)
        for (it = groups[group]; it->name; it++) {
            if (only ? strcmp(only, it->name) != 0 : number++ % jobs != job)
                continue;
            failed += !torture(it, seconds, NULL);
            ran++;
        }
    if (only && !ran) {
        fprintf(stderr, "no scenario is named \"%s\"; the names are:\n", only);
        for (group = 0; group < sizeof groups / sizeof *groups; group++)
            for (it = groups[group]; it->name; it++)
                fprintf(stderr, "  %s\n", it->name);
        return 2;
    }
    if (table && (file = fopen(table, "w"))) {
        long f;
        for (f = 0; f < results->function_count; f++) {
            const function *const it = &results->functions[f];
            fprintf(file, "%s %ld %ld %ld %ld %ld\n", it->name, it->calls, it->allocations, it->refused, it->memory, it->fine);
        }
        fclose(file);
    }
    return failed > 0;
}
