/* The coordinator of "Featherweight Router tl;dr" on a terminal: tabs of [a stack of welcome {register, login}, about].
 *
 * Type a path and Enter: welcome, welcome/register, welcome/login, about.  `back` returns to the screen below, and `quit` exits.
 *
 *     cc coordinator.c $(pkg-config --cflags --libs routable) && ./a.out welcome/login */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <routable_presentation.h>

enum { WIDTH = 44, LINES = 9 };

/* The presentables: a page, or a stack of pages of which the topmost is visible. */
typedef struct view {
    const char *title, *path, *text; /* a page */
    struct view *pages[ROUTABLE_PRESENTATION_DEPTH];
    size_t page_count;
    int is_pile;
} view;

/* Several views, of which one is visible. */
typedef struct tab_bar {
    view *children[8];
    size_t count;
    view *selected;
    char notice[128];
} tab_bar;

/* --- Callbacks of the presenters --- */

static routable_status set_pages(void *const *pages, size_t count, const routable_visit *visit, void *user_data)
{
    view *const pile = user_data;
    (void)visit;
    if (count)
        memcpy(pile->pages, pages, count * sizeof *pages);
    pile->page_count = count;
    return ROUTABLE_OK;
}

static routable_status set_tabs(void *const *children, size_t count, const routable_visit *visit, void *user_data)
{
    tab_bar *const bar = user_data;
    (void)visit;
    if (count > sizeof bar->children / sizeof *bar->children)
        return ROUTABLE_ERR_LIMIT;
    memcpy(bar->children, children, count * sizeof *children);
    bar->count = count;
    bar->notice[0] = '\0';
    return ROUTABLE_OK;
}

static routable_status select_tab(void *child, const routable_visit *visit, void *user_data)
{
    (void)visit;
    ((tab_bar *)user_data)->selected = child;
    return ROUTABLE_OK;
}

static routable_status lost(const routable_visit *visit, void *user_data)
{
    tab_bar *const bar = user_data;
    snprintf(bar->notice, sizeof bar->notice, "no screen at '%.80s'", routable_visit_path(visit).ptr);
    return ROUTABLE_OK;
}

/* --- The tree of screens --- */

static routable_presentation *coordinator(tab_bar *bar, view *pile, view *pages)
{
    static const struct { const char *parent, *name; } routes[] = {
        { "navigation", "welcome" }, { "welcome", "register" }, { "welcome", "login" }, { "tabs", "about" },
    };
    routable_presentation_builder *builder = NULL;
    routable_presentation *app = NULL;
    routable_error *error = NULL;
    routable_presenter presenter = ROUTABLE_PRESENTER_INIT;
    size_t i;

    if (routable_presentation_builder_new(&builder, &error) != ROUTABLE_OK)
        goto failed;
    presenter.name = "tabs";
    presenter.user_data = bar;
    presenter.set_child = select_tab;
    presenter.set_children = set_tabs;
    if (routable_presentation_builder_add_junction(builder, NULL, &presenter, &error) != ROUTABLE_OK)
        goto failed;
    presenter.name = "navigation";
    presenter.user_data = pile;
    presenter.set_child = NULL;
    presenter.set_children = set_pages;
    if (routable_presentation_builder_add_stack(builder, "tabs", &presenter, &error) != ROUTABLE_OK)
        goto failed;
    presenter.set_children = NULL;
    for (i = 0; i < 4; i++) {
        presenter.name = routes[i].name;
        presenter.user_data = &pages[i];
        if (routable_presentation_builder_add_pattern(
                builder, routes[i].parent, &presenter, pages[i].path, 0, &error) != ROUTABLE_OK)
            goto failed;
    }
    if (routable_presentation_builder_set_unmatched(builder, lost, bar, NULL, &error) == ROUTABLE_OK &&
        routable_presentation_builder_build(builder, &app, &error) == ROUTABLE_OK) {
        routable_presentation_builder_free(builder);
        return app;
    }
failed:
    fprintf(stderr, "%s\n", routable_error_message(error).ptr);
    exit(1);
}

/* --- Output --- */

static int line(const char *text)
{
    printf("| %-*s|\r\n", WIDTH - 1, text);
    return 1;
}

static void draw(const tab_bar *bar)
{
    static const char rule[] = "+--------------------------------------------+";
    const view *seen = bar->selected;
    char text[256] = "";
    size_t i;
    int lines = 1;

    printf("\x1b[2J\x1b[H%s\r\n", rule);
    for (i = 0; i < bar->count; i++)
        sprintf(text + strlen(text), bar->children[i] == seen ? "%s[%s]" : "%s %s ", i ? " " : "", bar->children[i]->title);
    lines += line(text) + line("");
    if (seen && seen->is_pile) {
        text[0] = '\0';
        for (i = 0; i < seen->page_count; i++)
            sprintf(text + strlen(text), "%s%s", i ? " > " : "", seen->pages[i]->title);
        lines += seen->page_count ? line(text) + line("") : line("(nothing here)");
        seen = seen->page_count ? seen->pages[seen->page_count - 1] : NULL;
    }
    if (seen) {
        lines += line(seen->title);
        memset(text, '=', strlen(seen->title));
        text[strlen(seen->title)] = '\0';
        lines += line(text) + line(seen->text);
    }
    while (lines++ < LINES)
        printf("|%*s|\r\n", WIDTH, "");
    printf("%s\r\n%s\r\ngo to: ", rule, bar->notice);
    fflush(stdout);
}

/* The path of the screen below the visible one. */
static const char *below(const tab_bar *bar)
{
    const view *const seen = bar->selected;
    return seen && seen->page_count > 1 ? seen->pages[seen->page_count - 2]->path : "welcome";
}

int main(int count, char **words)
{
    static view pages[] = {
        { .title = "Welcome", .path = "welcome", .text = "Try welcome/register, welcome/login." },
        { .title = "Register", .path = "welcome/register", .text = "A name, a password, and off you go." },
        { .title = "Login", .path = "welcome/login", .text = "Good to see you again." },
        { .title = "About", .path = "about", .text = "A router that weighs next to nothing." },
    };
    static view pile = { .title = "Welcome", .is_pile = 1 };
    static tab_bar bar;
    routable_presentation *const app = coordinator(&bar, &pile, pages);
    char path[256] = "welcome";

    if (count > 1)
        snprintf(path, sizeof path, "%s", words[1]);
    while (strcmp(path, "quit") != 0) {
        routable_error *error = NULL;
        const char *const target = strcmp(path, "back") == 0 ? below(&bar) : path;
        if (routable_presentation_set(app, routable_str_from(target), &error) >= ROUTABLE_ERR_ARGUMENT)
            fprintf(stderr, "%s\n", routable_error_message(error).ptr);
        routable_error_free(error);
        draw(&bar);
        if (!fgets(path, sizeof path, stdin))
            break;
        path[strcspn(path, "\r\n")] = '\0';
    }
    printf("\r\nbye\n");
    routable_presentation_free(app);
    return 0;
}
