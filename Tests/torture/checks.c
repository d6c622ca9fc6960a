/* checks.c - makes each check of the library fail in turn: in the memory of a child process, the branch into the block that calls the
 * trap function is inverted, and a scenario that reaches the branch runs.  The child must end by SIGABRT with the one line that states
 * the offset, and no other output.  For a branch that no scenario reaches, the call of the trap function is executed directly.
 *
 * The list has a line for each branch: its offset, its length, 1 if the branch leads to the block and 0 if it leads past it,
 * the block, and the offset that the line must state (Tests/torture/run writes it, for x86-64). */
#define _GNU_SOURCE
#include "checks.h"

#if !defined(__x86_64__)
int run_checks(const char *list, const scenario *const *groups, size_t group_count, int jobs, int job)
{
    (void)list, (void)groups, (void)group_count, (void)jobs, (void)job;
    printf("checks: the branches of this processor are not known\n");
    return 0;
}
#else

#include <errno.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

/* Hash tables have random seeds, so that a scenario does not reach the same branches in each run. */
enum { SITES = 8192, TURNS = 100 };
static struct site { unsigned long branch, block, said; int length, leads; unsigned char first; const scenario *by; } *sites; /* in shared memory */
static long count;
static unsigned char *base;
static const scenario *volatile running;

static int find(struct dl_phdr_info *info, size_t size, void *unused)
{
    int part;
    (void)size;
    (void)unused;
    if (!strstr(info->dlpi_name, "libroutable"))
        return 0;
    base = (unsigned char *)info->dlpi_addr;
    for (part = 0; part < info->dlpi_phnum; part++)
        if (info->dlpi_phdr[part].p_type == PT_LOAD && info->dlpi_phdr[part].p_flags & PF_X) {
            const uintptr_t start = (uintptr_t)(base + info->dlpi_phdr[part].p_vaddr) & ~(uintptr_t)4095;
            const uintptr_t end = ((uintptr_t)(base + info->dlpi_phdr[part].p_vaddr) + info->dlpi_phdr[part].p_memsz + 4095) & ~(uintptr_t)4095;
            if (mprotect((void *)start, end - start, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
                abort();
        }
    return 1;
}

/* A branch is reached for the first time: its instruction is restored. */
static void on_trap(int number, siginfo_t *info, void *given)
{
    ucontext_t *const context = given;
    const unsigned long at = (unsigned long)context->uc_mcontext.gregs[REG_RIP] - 1 - (unsigned long)base;
    long low = 0, high = count;
    (void)number;
    (void)info;
    while (low < high) { /* sorted by branch */
        const long middle = (low + high) / 2;
        if (sites[middle].branch < at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == count || sites[low].branch != at)
        abort();
    base[at] = sites[low].first;
    for (; low < count && sites[low].branch == at; low++)
        sites[low].by = running;
    context->uc_mcontext.gregs[REG_RIP]--;
}

static void turn(const struct site *it)
{
    unsigned char *const at = base + it->branch;
    if (!it->leads)
        memset(at, 0x90, (size_t)it->length);
    else if (it->length == 2)
        at[0] = 0xEB;
    else
        at[0] = 0x90, at[1] = 0xE9;
}

/* The output of a child that reached no failing check. */
#define ENDED " (status 0)"

/* Whether the child ended as required. */
static int fails_well(const struct site *it, char *said, size_t room)
{
    char expected[160];
    int pipes[2], how = 0;
    size_t length = 0;
    ssize_t got;
    pid_t child;
    int turns;
    snprintf(expected, sizeof expected, "routable: a check inside the library failed at +0x%lx; please report this\n", it->said);
    if (pipe(pipes) != 0)
        abort();
    child = fork();
    if (child == 0) {
        dup2(pipes[1], 1);
        dup2(pipes[1], 2);
        close(pipes[0]);
        alarm(20);
        if (it->by) {
            turn(it);
            for (turns = 0; turns < TURNS; turns++) {
                torture_forget();
                it->by->run();
            }
            _exit(0);
        }
        ((void (*)(void))(base + it->said - 5))(); /* the call of the trap function */
        _exit(0);
    }
    close(pipes[1]);
    while (length < room - 1 && (got = read(pipes[0], said + length, room - 1 - length)) > 0)
        length += (size_t)got;
    said[length] = 0;
    close(pipes[0]);
    waitpid(child, &how, 0);
    if (WIFSIGNALED(how) && WTERMSIG(how) == SIGABRT && !strcmp(said, expected))
        return 1;
    snprintf(said + length, room - length, " (%s %d)", WIFSIGNALED(how) ? "signal" : "status", WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how));
    return 0;
}

int run_checks(const char *list, const scenario *const *groups, size_t group_count, int jobs, int job)
{
    struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER };
    FILE *const file = fopen(list, "r");
    long reached = 0, jumped = 0, failed = 0, i;
    size_t group;
    const scenario *it;
    pid_t child;
    sites = mmap(NULL, SITES * sizeof *sites, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!file || sites == MAP_FAILED)
        return 2;
    while (count < SITES && fscanf(file, "%lx %d %d %lx %lx", &sites[count].branch, &sites[count].length, &sites[count].leads, &sites[count].block, &sites[count].said) == 5)
        count++;
    fclose(file);
    dl_iterate_phdr(find, NULL);
    /* In a child process, so that cached objects are created again while their checks fail. */
    if ((child = fork()) != 0) {
        waitpid(child, NULL, 0);
        goto come_to;
    }
    sigaction(SIGTRAP, &action, NULL);
    for (i = 0; i < count; i++) {
        if (sites[i].length == 0)
            continue; /* without a branch, the call is executed directly */
        /* Two blocks can share a branch: one that it leads to, and one after it. */
        sites[i].first = i > 0 && sites[i - 1].branch == sites[i].branch ? sites[i - 1].first : base[sites[i].branch];
        base[sites[i].branch] = 0xCC;
    }
    for (group = 0; group < group_count; group++)
        for (it = groups[group]; it->name; it++) {
            running = it;
            it->run();
        }
    _exit(0);
come_to:
    fflush(stdout);
    for (i = job; i < count; i += jobs) {
        char said[600];
        int is_well = fails_well(&sites[i], said, sizeof said);
        /* A scenario may reach a branch in one run and not in the next, because the slots of keys in a table depend on addresses. */
        if (!is_well && sites[i].by && !strcmp(said, ENDED)) {
            sites[i].by = NULL;
            is_well = fails_well(&sites[i], said, sizeof said);
        }
        if (is_well) {
            reached += sites[i].by != NULL;
            jumped += sites[i].by == NULL;
        } else if (failed++ < 20)
            printf("the branch at +0x%lx%s%s, the line must say +0x%lx: %.300s\n", sites[i].branch, sites[i].by ? " in " : "", sites[i].by ? sites[i].by->name : "", sites[i].said, said);
    }
    printf("checks: %ld failed where a scenario came to them, %ld that were jumped to; each ended with its line, but for %ld\n", reached, jumped, failed);
    fflush(stdout);
    return failed > 0;
}

#endif
