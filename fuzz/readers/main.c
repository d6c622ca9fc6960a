/* main.c - passes generated inputs to the readers, and measures time, memory and steps for each byte of an input.
 *
 *   readers [--count N | --seconds N] [--seed N] [--large N] [--finds FOLDER] [--gigabyte] [--grammars FOLDER] [NAME...]
 *   readers --stack BYTES ...           on a stack of this size; reports how much of it was used
 *   readers --replay NAME FILE...       reads single inputs, and prints the measurements of each
 *   readers --emit NAME --count N       writes the inputs for other programs, each after its length in 4 bytes
 *
 * With --large, one of N inputs is larger than 64 KB. --gigabyte ends the process if it needs more address space than that. An input
 * that exceeds the limits of its reader, fails or ends the process is stored in the folder of finds. If it is linked with a library with
 * libFuzzer's coverage, the program counts steps: the comparisons that the machine code makes. */
#define _GNU_SOURCE
#include "readers.h"

#include "generate.h"
#include "measure.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static struct {
    const char *finds, *grammars, *emit, *replay;
    uint64_t count, seed, large;
    size_t stack;
    double seconds;
} options = { "build/fuzz/finds", "fuzz/grammars", NULL, NULL, 0, 1, 1000, 0, 0 };

/* The measurements of a reader. */
typedef struct tally {
    uint64_t executions, large, bytes, accepted, limits, finds, steps;
    double seconds, bytes_per_byte, steps_per_byte; /* the maxima, of inputs over 4 KB */
    size_t peak, most_steps, longest, stack;
} tally;

/* --- The current input, for finds --- */

static struct { const char *reader, *bytes; size_t count; volatile uint64_t number; int is_reported; } now;

static void keep_input(const char *why)
{
    char path[512];
    FILE *file;
    uint64_t hash = 14695981039346656037u;
    size_t i;
    for (i = 0; i < now.count; i++)
        hash = (hash ^ (unsigned char)now.bytes[i]) * 1099511628211u;
    snprintf(path, sizeof path, "%s/%s-%s-%016llx", options.finds, now.reader, why, (unsigned long long)hash);
    file = fopen(path, "w");
    if (!file)
        return;
    fwrite(now.bytes, 1, now.count, file);
    fclose(file);
    fprintf(stderr, "kept in %s\n", path);
}

static void on_signal(int number)
{
    if (now.reader && !now.is_reported++) {
        fprintf(stderr, "%s: signal %d for an input of %zu bytes\n", now.reader, number, now.count);
        keep_input("signal");
    }
    signal(number, SIG_DFL);
    raise(number);
}

/* Ends the process if an input takes a minute. */
static void *watch(void *unused)
{
    uint64_t before = now.number;
    (void)unused;
    for (;;) {
        sleep(60);
        if (now.number == before && now.reader && options.emit == NULL) {
            fprintf(stderr, "%s: a minute for an input of %zu bytes\n", now.reader, now.count);
            keep_input("slow");
            _exit(3);
        }
        before = now.number;
    }
    return NULL;
}

/* --- A small stack --- */

static struct {
    unsigned char *low; /* above an inaccessible page */
    sem_t begin, end;
    const reader *reader;
    routable_status status;
} small;

static void *read_on_small_stack(void *unused)
{
    (void)unused;
    for (;;) {
        sem_wait(&small.begin);
        small.status = small.reader->read(now.bytes, now.count);
        sem_post(&small.end);
    }
    return NULL;
}

static void start_small_stack(void)
{
    unsigned char *const memory = mmap(NULL, options.stack + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_t attributes;
    pthread_t thread;
    if (memory == MAP_FAILED || mprotect(memory, 4096, PROT_NONE))
        abort();
    small.low = memory + 4096;
    memset(small.low, 0xA5, options.stack);
    sem_init(&small.begin, 0, 0);
    sem_init(&small.end, 0, 0);
    pthread_attr_init(&attributes);
    if (pthread_attr_setstack(&attributes, small.low, options.stack) || pthread_create(&thread, &attributes, read_on_small_stack, NULL))
        abort();
}

/* Reads the input on a stack that is filled with a pattern; returns how much of the pattern was overwritten. */
static size_t read_small(const reader *of, routable_status *status)
{
    size_t untouched = 0;
    if (!small.low)
        start_small_stack();
    small.reader = of;
    sem_post(&small.begin);
    sem_wait(&small.end);
    while (untouched < options.stack && small.low[untouched] == 0xA5)
        untouched++;
    *status = small.status;
    return options.stack - untouched; /* the maximum so far */
}

/* --- One input --- */

/* The limits of a reader: for each byte of its input, and a constant. The tables of a description can be larger, up to a limit. */
enum { MOST_BYTES = 64, FIXED_BYTES = 1 << 20, MOST_STEPS = 400, FIXED_STEPS = 1 << 20 };

static void judge(const reader *of, tally *to, size_t peak, size_t steps)
{
    const size_t count = now.count;
    const int is_large = !of->is_table && (peak > FIXED_BYTES + MOST_BYTES * count || steps > FIXED_STEPS + MOST_STEPS * count);
    if (peak > to->peak)
        to->peak = peak;
    if (steps > to->most_steps)
        to->most_steps = steps;
    if (count >= 4096 && (double)peak / (double)count > to->bytes_per_byte)
        to->bytes_per_byte = (double)peak / (double)count;
    if (count >= 4096 && (double)steps / (double)count > to->steps_per_byte)
        to->steps_per_byte = (double)steps / (double)count;
    if (is_large) {
        fprintf(stderr, "%s: %zu bytes of input took %zu bytes of memory and %zu steps\n", of->name, count, peak, steps);
        keep_input("growth");
        to->finds++;
    }
}

static void execute(const reader *of, tally *to, const char *bytes, size_t count)
{
    /* A copy of exactly this size, so that the address sanitizer detects a read out of bounds. */
    char *const exact = (char *)malloc(count ? count : 1);
    size_t peak, steps;
    routable_status status;
    if (count)
        memcpy(exact, bytes, count);
    now.reader = of->name;
    now.bytes = exact;
    now.count = count;
    now.number++;
    measure_start();
    if (options.stack) {
        const size_t used = read_small(of, &status);
        if (used > to->stack)
            to->stack = used;
    } else {
        status = of->read(exact, count);
    }
    measure_end(&peak, &steps);
    to->executions++;
    to->large += count > 65536;
    to->bytes += count;
    to->steps += steps;
    to->accepted += status < ROUTABLE_ERR_ARGUMENT;
    to->limits += status == ROUTABLE_ERR_LIMIT;
    if (count > to->longest)
        to->longest = count;
    judge(of, to, peak, steps);
    now.reader = NULL;
    free(exact);
}

/* --- Inputs --- */

static double clock_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* A size: mostly small, sometimes large enough for an attack by size. */
static size_t wanted_size(generator *from)
{
    if (options.large && generate_below(from, options.large * 8) == 0) /* each input is read eight times, with different damage */
        return 66000 + (generate_below(from, 32) ? generate_below(from, 6000) : generate_below(from, 4000000));
    return generate_below(from, 16) ? generate_below(from, 300) : (size_t)1 << generate_below(from, 16);
}

static void run(const reader *of, const grammar *rules, tally *to)
{
    generator from;
    const double start = clock_seconds();
    uint64_t number = 0;
    memset(&from, 0, sizeof from);
    of->read("", 0); /* cached objects are created before the measurement */
    from.random = options.seed * 0x2545F4914F6CDD1D + (uint64_t)of->name[0] * 256 + (uint64_t)of->name[1];
    for (;; number++) {
        if (options.count ? number >= options.count : (number & 63) == 0 && clock_seconds() - start >= options.seconds)
            break;
        {
            const size_t wanted = wanted_size(&from);
            growth kind = wanted > 300 ? (growth)(1 + generate_below(&from, GROW_KINDS - 1)) : GROW_NOTHING;
            size_t turn = wanted > 65536 ? 8 : 1;
            generate_input(&from, rules, wanted, kind);
            if (generate_below(&from, 4) == 0)
                generate_damage(&from);
            for (;;) {
                execute(of, to, from.bytes, from.count);
                if (--turn == 0)
                    break;
                generate_damage(&from);
                number++;
            }
        }
    }
    to->seconds += clock_seconds() - start;
    free(from.bytes);
}

static void emit(const reader *of, const grammar *rules)
{
    generator from;
    uint64_t number;
    memset(&from, 0, sizeof from);
    from.random = options.seed;
    for (number = 0; number < options.count; number++) {
        uint32_t length;
        generate_input(&from, rules, wanted_size(&from) % 4096, (growth)generate_below(&from, GROW_KINDS));
        if (generate_below(&from, 8) == 0)
            generate_damage(&from);
        length = (uint32_t)from.count;
        fwrite(&length, sizeof length, 1, stdout);
        fwrite(from.bytes, 1, from.count, stdout);
    }
    (void)of;
}

static void replay(const reader *of, const char *path)
{
    tally to;
    FILE *const file = fopen(path, "r");
    static char bytes[16 << 20];
    size_t count;
    if (!file) {
        perror(path);
        exit(2);
    }
    count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    memset(&to, 0, sizeof to);
    execute(of, &to, bytes, count);
    printf("%s: %zu bytes: %zu bytes of memory, %zu of stack, %zu steps, %s\n", path, count, to.peak, to.stack, to.most_steps,
        to.accepted ? "accepted" : to.limits ? "limit" : "refused");
}

/* --- The table --- */

static void print_row(const reader *of, const tally *to)
{
    printf("%-13s %11llu %9llu %9.0f %6.1f %5.1f%% %9llu %8zu %9.1f %9.1f %6llu\n", of->name, (unsigned long long)to->executions,
        (unsigned long long)to->large, to->seconds > 0 ? (double)to->executions / to->seconds : 0, (double)to->bytes / 1e6,
        to->executions ? 100.0 * (double)to->accepted / (double)to->executions : 0, (unsigned long long)to->limits, to->peak >> 10, to->bytes_per_byte,
        to->steps_per_byte, (unsigned long long)to->finds);
    if (options.stack)
        printf("%-13s %zu bytes of stack\n", "", to->stack);
    fflush(stdout);
}

static const reader *reader_at(size_t index)
{
    static const reader *const all[] = { document_readers, value_readers, message_readers };
    size_t i;
    for (i = 0; i < 3; i++) {
        const reader *each = all[i];
        for (; each->name; each++)
            if (index-- == 0)
                return each;
    }
    return NULL;
}

static int is_wanted(const reader *of, char **names, int count)
{
    int i;
    for (i = 0; i < count; i++)
        if (strcmp(names[i], of->name) == 0)
            return 1;
    return count == 0;
}

int main(int count, char **words)
{
    static grammar *grammars[64];
    tally total;
    pthread_t watcher;
    size_t i;
    memset(&total, 0, sizeof total);
    for (words++, count--; count && strncmp(*words, "--", 2) == 0; words++, count--) {
        const char *const value = count > 1 ? words[1] : "0";
        if (strcmp(*words, "--gigabyte") == 0) {
            const struct rlimit limit = { (rlim_t)1 << 30, (rlim_t)1 << 30 };
            if (setrlimit(RLIMIT_AS, &limit))
                return 2;
            continue;
        }
        if (strcmp(*words, "--count") == 0) options.count = strtoull(value, NULL, 10);
        else if (strcmp(*words, "--seconds") == 0) options.seconds = atof(value);
        else if (strcmp(*words, "--seed") == 0) options.seed = strtoull(value, NULL, 10);
        else if (strcmp(*words, "--large") == 0) options.large = strtoull(value, NULL, 10);
        else if (strcmp(*words, "--stack") == 0) options.stack = strtoull(value, NULL, 10);
        else if (strcmp(*words, "--finds") == 0) options.finds = value;
        else if (strcmp(*words, "--grammars") == 0) options.grammars = value;
        else if (strcmp(*words, "--emit") == 0) options.emit = value;
        else if (strcmp(*words, "--replay") == 0) options.replay = value;
        else {
            fprintf(stderr, "unknown option %s\n", *words);
            return 2;
        }
        words++, count--;
    }
    {
        const struct sigaction action = { .sa_handler = on_signal };
        sigaction(SIGSEGV, &action, NULL);
        sigaction(SIGBUS, &action, NULL);
        sigaction(SIGABRT, &action, NULL);
    }
    pthread_create(&watcher, NULL, watch, NULL);
    if (!options.emit && !options.replay)
        printf("%-13s %11s %9s %9s %6s %6s %9s %8s %9s %9s %6s\n", "reader", "executions", "over 64K", "per s", "MB", "read", "limits", "peak KB",
            "bytes/byte", "steps/byte", "finds");
    for (i = 0; reader_at(i); i++) {
        const reader *const each = reader_at(i);
        tally to;
        memset(&to, 0, sizeof to);
        if (options.replay || options.emit) {
            if (strcmp(options.replay ? options.replay : options.emit, each->name) != 0)
                continue;
            if (options.emit)
                emit(each, grammar_read(options.grammars, each->grammar));
            for (; options.replay && count; words++, count--)
                replay(each, *words);
            return 0;
        }
        if (!is_wanted(each, words, count))
            continue;
        FUZZ_LEAKS(disable);
        grammars[i] = grammar_read(options.grammars, each->grammar);
        FUZZ_LEAKS(enable);
        run(each, grammars[i], &to);
        print_row(each, &to);
        total.executions += to.executions;
        total.large += to.large;
        total.finds += to.finds;
        total.seconds += to.seconds;
    }
    printf("%llu executions, %llu of them over 64 KB, in %.0f s; %llu finds\n", (unsigned long long)total.executions,
        (unsigned long long)total.large, total.seconds, (unsigned long long)total.finds);
    return total.finds != 0;
}
