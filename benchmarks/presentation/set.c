/* Measures `set` on trees of 1,000 routes, through the shared library: nanoseconds per call, the minimum of 15 rounds.
 * Every presenter is called through its functions, which do almost nothing.
 *
 *     set [LIMIT_US]     fails if a marked row exceeds the limit */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "routable_presentation.h"

enum { ROUTES = 1000, ROUNDS = 15 };

static size_t sink; /* the arguments of the functions, so that the compiler removes no code */

static routable_status present(const routable_visit *visit, void **out, void *user_data)
{
    (void)visit;
    *out = user_data;
    return ROUTABLE_OK;
}
static routable_status take_child(void *child, const routable_visit *visit, void *user_data)
{
    (void)visit, (void)user_data;
    sink += (size_t)child & 1;
    return ROUTABLE_OK;
}
static routable_status take_children(void *const *children, size_t count, const routable_visit *visit, void *user_data)
{
    (void)visit, (void)user_data;
    sink += count ? (size_t)children[count - 1] & 1 : 0;
    return ROUTABLE_OK;
}

static void must(routable_status status, routable_error *error)
{
    if (status == ROUTABLE_OK)
        return;
    fprintf(stderr, "%s\n", routable_error_message(error).ptr);
    exit(2);
}

/* `form` contains %d for the number of a route: a pattern or, if it contains a brace, a template. */
static routable_presentation *tree(int groups, const char *form)
{
    routable_presentation_builder *builder = NULL;
    routable_presentation *result = NULL;
    routable_presenter presenter = ROUTABLE_PRESENTER_INIT;
    routable_error *error = NULL;
    char name[32], parent[32], rule[96];
    int i;
    must(routable_presentation_builder_new(&builder, &error), error);
    presenter.presentable = present;
    presenter.set_child = take_child;
    presenter.set_children = take_children;
    presenter.user_data = name;
    presenter.name = "root";
    must(routable_presentation_builder_add_junction(builder, NULL, &presenter, &error), error);
    presenter.name = name;
    for (i = 0; i < groups; i++) {
        sprintf(name, "group%d", i);
        must(routable_presentation_builder_add_stack(builder, "root", &presenter, &error), error);
    }
    for (i = 0; i < ROUTES; i++) {
        sprintf(name, "route%d", i);
        sprintf(parent, groups ? "group%d" : "root", groups ? i * groups / ROUTES : 0);
        sprintf(rule, form, i);
        if (strchr(form, '{'))
            must(routable_presentation_builder_add_template(builder, parent, &presenter, rule, NULL, 0, 0, &error), error);
        else
            must(routable_presentation_builder_add_pattern(builder, parent, &presenter, rule, 0, &error), error);
    }
    must(routable_presentation_builder_build(builder, &result, &error), error);
    routable_presentation_builder_free(builder);
    return result;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double least(const routable_presentation *presentation, const char *path)
{
    const routable_str text = routable_str_from(path);
    double best = 1e18;
    int round, i;
    for (round = 0; round < ROUNDS; round++) {
        const double start = now();
        double took;
        for (i = 0; i < 200; i++)
            (void)routable_presentation_set(presentation, text, NULL);
        took = (now() - start) / 200;
        best = took < best ? took : best;
    }
    return best;
}

int main(int count, char **words)
{
    static const struct { int groups; int is_held; const char *what, *form, *path; } rows[] = {
        { 10, 1, "10 stacks of 100 texts, the last", "section/item-%d", "section/item-999" },
        { 10, 1, "10 stacks of 100 texts, none", "section/item-%d", "section/item-none" },
        { 10, 1, "10 stacks of 100 templates, the last", "section-%d/{id}", "section-999/42" },
        { 10, 1, "10 stacks of 100 patterns, the last", "section-%d/(?<id>\\w+)", "section-999/42" },
        { 0, 1, "1000 tabs, the last", "section/item-%d", "section/item-999" },
        { 10, 1, "10 stacks of 100 templates that begin alike", "items/{id}/%d", "items/42/999" },
        { 10, 1, "10 stacks of 100 patterns that begin alike", "items/\\w+/%d", "items/42/999" },
    };
    const double limit = count > 1 ? strtod(words[1], NULL) * 1000 : 0;
    int failed = 0;
    size_t i;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        routable_presentation *const presentation = tree(rows[i].groups, rows[i].form);
        const double took = least(presentation, rows[i].path);
        const int is_over = rows[i].is_held && limit > 0 && took > limit;
        printf("%-46s %8.0f ns%s\n", rows[i].what, took, is_over ? "  over the limit" : "");
        failed |= is_over;
        routable_presentation_free(presentation);
    }
    if (sink == (size_t)-1)
        puts("");
    return failed;
}
