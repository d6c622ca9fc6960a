/* presentation_host.h - a host that records the calls of its presenters, for the tests of presentation. */
#ifndef TESTS_C_PRESENTATION_HOST_H
#define TESTS_C_PRESENTATION_HOST_H

#include "routable_presentation.h"
#include "support.h"

/* The calls since the last `start_log`, words with a space after each: "tabs=[nav,about] ". */
static char told[8192];

static inline void note(const char *text)
{
    strncat(told, text, sizeof told - strlen(told) - 1);
}

static inline void start_log(void) { told[0] = '\0'; }

/* A screen is its own presenter: its presentable is its address. */
struct screen {
    const char *name;
    int made;      /* number of requests of its presentable */
    int released; /* number of times that its user data was released */
    int fails_in;  /* 'p', 'c' or 's': this function fails with ROUTABLE_ERR_TIMEOUT */
    void (*inside)(struct screen *self, const routable_visit *visit); /* called from set_children and set_child */
};

static inline routable_status screen_presentable(const routable_visit *visit, void **out, void *user_data)
{
    struct screen *const self = (struct screen *)user_data;
    (void)visit;
    self->made++;
    *out = self;
    return self->fails_in == 'p' ? ROUTABLE_ERR_TIMEOUT : ROUTABLE_OK;
}

static inline routable_status screen_set_child(void *child, const routable_visit *visit, void *user_data)
{
    struct screen *const self = (struct screen *)user_data;
    note(self->name);
    note("<");
    note(((struct screen *)child)->name);
    note("> ");
    if (self->inside)
        self->inside(self, visit);
    return self->fails_in == 'c' ? ROUTABLE_ERR_TIMEOUT : ROUTABLE_OK;
}

static inline routable_status screen_set_children(void *const *children, size_t count, const routable_visit *visit, void *user_data)
{
    struct screen *const self = (struct screen *)user_data;
    size_t i;
    note(self->name);
    note("=[");
    for (i = 0; i < count; i++) {
        note(i ? "," : "");
        note(((struct screen *)children[i])->name);
    }
    note("] ");
    if (self->inside)
        self->inside(self, visit);
    return self->fails_in == 's' ? ROUTABLE_ERR_TIMEOUT : ROUTABLE_OK;
}

static inline void screen_release(void *user_data) { ((struct screen *)user_data)->released++; }

static inline routable_presenter presenter_of(struct screen *screen)
{
    routable_presenter presenter = ROUTABLE_PRESENTER_INIT;
    presenter.name = screen->name;
    presenter.presentable = screen_presentable;
    presenter.set_child = screen_set_child;
    presenter.set_children = screen_set_children;
    presenter.user_data = screen;
    presenter.release = screen_release;
    return presenter;
}

/* --- Declarations in one line each: kind is 'j'unction, 's'tack, 'r'oute by pattern, 't'emplate or 'n'one --- */

static inline routable_status try_add(
    routable_presentation_builder *builder, char kind, const char *parent, struct screen *screen, const char *rule,
    routable_error **error)
{
    const routable_presenter presenter = presenter_of(screen);
    switch (kind) {
    case 'j': return routable_presentation_builder_add_junction(builder, parent, &presenter, error);
    case 's': return routable_presentation_builder_add_stack(builder, parent, &presenter, error);
    case 'r': return routable_presentation_builder_add_pattern(builder, parent, &presenter, rule, 0, error);
    case 'R': return routable_presentation_builder_add_pattern(
        builder, parent, &presenter, rule, ROUTABLE_ROUTE_RELATIVE, error);
    case 't': return routable_presentation_builder_add_template(builder, parent, &presenter, rule, NULL, 0, 0, error);
    default: return routable_presentation_builder_add_presenter(builder, parent, &presenter, error);
    }
}

static inline void add(
    routable_presentation_builder *builder, char kind, const char *parent, struct screen *screen, const char *rule)
{
    routable_error *error = NULL;
    check_status(screen->name, try_add(builder, kind, parent, screen, rule, &error), ROUTABLE_OK, error);
}

static inline routable_presentation_builder *new_builder(void)
{
    routable_presentation_builder *builder = NULL;
    routable_error *error = NULL;
    check_status("builder", routable_presentation_builder_new(&builder, &error), ROUTABLE_OK, error);
    return builder;
}

/* Builds the tree, and frees the builder. */
static inline routable_presentation *built(routable_presentation_builder *builder)
{
    routable_presentation *presentation = NULL;
    routable_error *error = NULL;
    check_status("build", routable_presentation_builder_build(builder, &presentation, &error), ROUTABLE_OK, error);
    routable_presentation_builder_free(builder);
    return presentation;
}

#define check_set(presentation, path, status, expected) \
    do { \
        routable_error *set_error = NULL; \
        start_log(); \
        check_status(path, routable_presentation_set(presentation, routable_str_from(path), &set_error), status, set_error); \
        check_text(path, routable_str_from(told), expected); \
        routable_error_free(set_error); \
    } while (0)

#define check_handles(presentation, path, status) \
    do { \
        routable_error *handles_error = NULL; \
        check_status(path, routable_presentation_handles(presentation, routable_str_from(path), &handles_error), status, \
            handles_error); \
        routable_error_free(handles_error); \
    } while (0)

/* Compares the names of a stack, with a space after each. */
static inline void check_stack_at(
    const routable_presentation *presentation, const char *path, routable_status status, const char *expected,
    const char *file, int line)
{
    void *screens[ROUTABLE_PRESENTATION_DEPTH];
    size_t count = 0, i;
    routable_error *error = NULL;
    const routable_status got =
        routable_presentation_stack(presentation, routable_str_from(path), screens, ROUTABLE_PRESENTATION_DEPTH, &count, &error);
    check_status_at(path, got, status, error, file, line);
    start_log();
    for (i = 0; i < count; i++) {
        note(((struct screen *)screens[i])->name);
        note(" ");
    }
    check_text_at(path, routable_str_from(told), expected, file, line);
    routable_error_free(error);
}
#define check_stack(presentation, path, status, expected) \
    check_stack_at(presentation, path, status, expected, __FILE__, __LINE__)

#endif
