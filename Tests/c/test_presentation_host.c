/* Presentation from the host: captures, predicates, documents, and functions that fail, call the tree again, or free
 * the tree that calls them. */
#include <pthread.h>

#include "presentation_host.h"

static routable_presentation *current;
static struct screen root = { .name = "root" }, leaf = { .name = "leaf" }, other = { .name = "other" };

/* root: junction of leaf and other */
static void make_current(void)
{
    routable_presentation_builder *const builder = new_builder();
    root.inside = NULL;
    root.fails_in = leaf.fails_in = 0;
    root.released = leaf.released = 0;
    add(builder, 'j', NULL, &root, NULL);
    add(builder, 'r', "root", &leaf, "leaf");
    add(builder, 'r', "root", &other, "other");
    current = built(builder);
}

static void note_visit(struct screen *self, const routable_visit *visit)
{
    size_t i;
    (void)self;
    note("(");
    note(text_of(routable_visit_path(visit)));
    note(" by ");
    note(text_of(routable_visit_route(visit)));
    for (i = 0; i < routable_visit_capture_count(visit); i++) {
        const routable_value value = routable_visit_capture_at(visit, i);
        char text[64];
        note(" ");
        note(text_of(routable_visit_capture_name_at(visit, i)));
        snprintf(text, sizeof text, ":%g", value.kind == ROUTABLE_KIND_REAL ? value.as.real : 0.0);
        if (value.kind == ROUTABLE_KIND_INTEGER || value.kind == ROUTABLE_KIND_BOOLEAN)
            snprintf(text, sizeof text, ":%s%lld", value.kind == ROUTABLE_KIND_BOOLEAN ? "is " : "", (long long)value.as.integer);
        note(value.kind == ROUTABLE_KIND_STRING ? "=" : text);
        if (value.kind == ROUTABLE_KIND_STRING)
            note(text_of(value.as.string));
    }
    note(") ");
    if (routable_visit_capture_count(visit)) { /* by name; a NUL follows each string */
        assert_int_equal(routable_visit_capture(visit, routable_visit_capture_name_at(visit, 0).ptr).kind,
            routable_visit_capture_at(visit, 0).kind);
    }
    assert_int_equal(routable_visit_capture(visit, "no such name").kind, ROUTABLE_KIND_NULL);
    assert_int_equal(routable_visit_capture_at(visit, 99).kind, ROUTABLE_KIND_NULL);
    check_text("beyond", routable_visit_capture_string_at(visit, 99), "");
}

static void F16_captures_and_the_path_reach_presenters(void **state)
{
    static struct screen user = { .name = "user" }, file = { .name = "file" }, tag = { .name = "tag" };
    routable_parameter_options ids[2];
    routable_presenter presenter;
    routable_presentation_builder *const builder = new_builder();
    routable_error *error = NULL;
    (void)state;
    memset(ids, 0, sizeof ids);
    ids[0].size = ids[1].size = sizeof *ids;
    ids[0].name = "id";
    ids[0].type = "integer";
    ids[1].name = "ratio";
    ids[1].type = "number";
    add(builder, 'j', NULL, &root, NULL);
    root.inside = note_visit;
    presenter = presenter_of(&user);
    check_status("template", routable_presentation_builder_add_template(
        builder, "root", &presenter, "/users/{id}/{ratio}", ids, 2, 0, &error), ROUTABLE_OK, error);
    add(builder, 't', "root", &file, "files/{name}.json");
    add(builder, 'r', "root", &tag, "tags/(?<tag>\\w+)(?:/(?<page>\\d+))?");
    current = built(builder);
#define ALL "root=[user,file,tag] "
    check_set(current, "users/7/0.5", ROUTABLE_OK,
        ALL "(users/7/0.5 by user id:7 ratio:0.5) root<user> (users/7/0.5 by user id:7 ratio:0.5) ");
    check_set(current, "/users/-3/1", ROUTABLE_OK,
        ALL "(/users/-3/1 by user id:-3 ratio:1) root<user> (/users/-3/1 by user id:-3 ratio:1) ");
    check_set(current, "users/seven/1", ROUTABLE_NO_MATCH, ALL "(users/seven/1 by ) ");
    check_set(current, "users/7/1/", ROUTABLE_NO_MATCH, ALL "(users/7/1/ by ) ");
    check_set(current, "files/a%20b.json", ROUTABLE_OK,
        ALL "(files/a%20b.json by file name=a b) root<file> (files/a%20b.json by file name=a b) ");
    check_set(current, "tags/red/2", ROUTABLE_OK,
        ALL "(tags/red/2 by tag tag=red page=2) root<tag> (tags/red/2 by tag tag=red page=2) ");
    check_set(current, "tags/red", ROUTABLE_OK, ALL "(tags/red by tag tag=red) root<tag> (tags/red by tag tag=red) ");
    routable_presentation_free(current);
    root.inside = NULL;
}

static routable_status begins_with(routable_str path, void *user_data)
{
    struct screen *const asked = (struct screen *)user_data;
    asked->made++;
    if (path.len == 3)
        return (routable_status)-5;
    return path.len > 3 && path.ptr[path.len] == '\0' && memcmp(path.ptr, "app", 3) == 0 ? ROUTABLE_OK : ROUTABLE_NO_MATCH;
}

static routable_status lost(const routable_visit *visit, void *user_data)
{
    (void)user_data;
    note("lost:");
    note(text_of(routable_visit_path(visit)));
    note(" ");
    return routable_visit_path(visit).len == 4 ? ROUTABLE_ERR_FILE : ROUTABLE_OK;
}

static void F15_predicates_and_the_unmatched(void **state)
{
    struct screen asked = { .name = "asked" }, handler = { .name = "handler" }, early = { .name = "early" };
    routable_presentation_builder *const builder = new_builder();
    const routable_presenter presenter = presenter_of(&early);
    routable_presentation *presentation;
    routable_error *error = NULL;
    (void)state;
    add(builder, 'j', NULL, &root, NULL);
    root.inside = NULL;
    check_status("predicate", routable_presentation_builder_add_predicate(
        builder, "root", &presenter, begins_with, &asked, screen_release, &error), ROUTABLE_OK, error);
    check_status("again", routable_presentation_builder_add_predicate(
        builder, "root", &presenter, begins_with, &asked, screen_release, &error), ROUTABLE_ERR_CONFLICT, error);
    routable_error_free(error);
    assert_int_equal(asked.released + early.released, 2);
    add(builder, 'r', "root", &leaf, "app/leaf");
    assert_int_equal(routable_presentation_builder_set_unmatched(builder, lost, &handler, screen_release, NULL), ROUTABLE_OK);
    presentation = built(builder);
    check_set(presentation, "app/leaf", ROUTABLE_OK, "root=[early,leaf] root<early> ");
    assert_int_equal(asked.made, 1); /* requested once */
    check_set(presentation, "elsewhere", ROUTABLE_NO_MATCH, "root=[early,leaf] lost:elsewhere ");
    check_set(presentation, "four", ROUTABLE_ERR_CALLBACK, "root=[early,leaf] lost:four "); /* the handler fails */
    start_log();
    check_status("three", routable_presentation_set(presentation, routable_str_from("app"), &error), ROUTABLE_ERR_CALLBACK, error);
    check_text("nothing is called", routable_str_from(told), "");
    check_text("names the presenter", routable_error_route(error), "early");
    check_contains("its code", routable_error_message(error), "failed with -5");
    routable_error_free(error);
    routable_presentation_free(presentation);
    assert_int_equal(asked.released, 2);
    assert_int_equal(early.released, 2);
    assert_int_equal(handler.released, 1);
}

static void functions_that_fail(void **state)
{
    static const struct { char in; int at_leaf; const char *told, *says; } cases[] = {
        { 's', 0, "root=[leaf,other] ", "set_children failed with timeout" },
        { 'c', 0, "root=[leaf,other] root<leaf> ", "set_child failed with timeout" },
        { 'p', 1, "", "presentable failed with timeout" },
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        routable_error *error = NULL;
        make_current();
        (cases[i].at_leaf ? &leaf : &root)->fails_in = cases[i].in;
        start_log();
        check_status(cases[i].says, routable_presentation_set(current, routable_str_from("leaf"), &error),
            ROUTABLE_ERR_CALLBACK, error);
        check_text(cases[i].says, routable_str_from(told), cases[i].told);
        check_contains(cases[i].says, routable_error_message(error), cases[i].says);
        check_text(cases[i].says, routable_error_route(error), cases[i].at_leaf ? "leaf" : "root");
        routable_error_free(error);
        routable_presentation_free(current);
    }
}

static void set_again(struct screen *self, const routable_visit *visit)
{
    self->inside = NULL;
    (void)visit;
    assert_int_equal(routable_presentation_set(current, routable_str_from("other"), NULL), ROUTABLE_OK);
}

static int endless, limited;
static void set_for_ever(struct screen *self, const routable_visit *visit)
{
    routable_error *error = NULL;
    (void)self;
    endless++;
    if (routable_presentation_set(current, routable_visit_path(visit), &error) == ROUTABLE_ERR_LIMIT)
        limited++;
    routable_error_free(error);
}

static void set_within_set(void **state)
{
    (void)state;
    make_current();
    root.inside = set_again; /* the inner call completes, then the outer one continues */
    check_set(current, "leaf", ROUTABLE_OK, "root=[leaf,other] root=[leaf,other] root<other> root<leaf> ");
    other.inside = NULL;
    routable_presentation_free(current);
    /* Unbounded recursion: refused at the documented depth, and each level continues. */
    {
        routable_presentation_builder *const builder = new_builder();
        add(builder, 's', NULL, &root, NULL);
        current = built(builder);
        root.inside = set_for_ever;
        assert_int_equal(routable_presentation_set(current, routable_str_from("x"), NULL), ROUTABLE_OK);
        assert_int_equal(endless, 64);
        assert_int_equal(limited, 1);
        root.inside = NULL;
        check_set(current, "x", ROUTABLE_OK, "root=[] ");
        routable_presentation_free(current);
    }
}

static void free_it(struct screen *self, const routable_visit *visit)
{
    self->inside = NULL;
    (void)visit;
    routable_presentation_free(current);
    assert_int_equal(root.released, 0); /* it exists until the call returns */
}

static void freed_while_it_calls(void **state)
{
    (void)state;
    make_current();
    root.inside = free_it;
    check_set(current, "leaf", ROUTABLE_OK, "root=[leaf,other] root<leaf> ");
    assert_int_equal(root.released, 1);
    assert_int_equal(leaf.released, 1);
}

static void documents(void **state)
{
    static const char *const good = "{\"routable_presentation\":1,\"x-a\":1,\"root\":{\"presenter\":\"root\",\"junction\":["
        "{\"presenter\":\"leaf\",\"pattern\":\"leaf\",\"children\":[{\"presenter\":\"other\",\"pattern\":\"\\\\d+\",\"relative\":true}]}]}}";
    static const struct { const char *text; routable_status status; const char *pointer, *says; } bad[] = {
        { "{", ROUTABLE_ERR_JSON, "", "" },
        { "{\"routable_presentation\":2}", ROUTABLE_ERR_UNSUPPORTED, "/routable_presentation", "version 2" },
        { "{\"routable_presentation\":1,\"root\":{\"presenter\":\"root\",\"pattern\":\"(\"}}", ROUTABLE_ERR_DOCUMENT, "/root", "not valid" },
        { "{\"routable_presentation\":1,\"root\":{\"presenter\":\"roots\"}}", ROUTABLE_ERR_UNKNOWN, "/root", "did you mean \"root\"" },
        { "{\"routable_presentation\":1,\"root\":{\"presenter\":\"root\"}}", ROUTABLE_ERR_UNKNOWN, "", "does not contain this presenter" },
        { "{\"routable_presentation\":1,\"root\":{\"presenter\":\"root\",\"stak\":[]}}", ROUTABLE_ERR_DOCUMENT, "/root/stak", "\"stack\"" },
        { "{\"routable_presentation\":1,\"root\":{\"presenter\":\"root\",\"stack\":[{\"presenter\":\"leaf\",\"junction\":[]}]}}",
            ROUTABLE_ERR_DOCUMENT, "/root/stack/0", "would never be shown" },
    };
    struct screen screens[3] = { { .name = "root" }, { .name = "leaf" }, { .name = "other" } };
    routable_presenter presenters[3];
    routable_presentation_builder *const builder = new_builder();
    routable_error *error = NULL;
    size_t i;
    (void)state;
    for (i = 0; i < 3; i++)
        presenters[i] = presenter_of(&screens[i]);
    for (i = 0; i < sizeof bad / sizeof *bad; i++) {
        check_status(bad[i].text, routable_presentation_builder_add_document(
            builder, NULL, bad[i].text, ROUTABLE_NUL_TERMINATED, presenters, 3, &error), bad[i].status, error);
        check_text(bad[i].text, routable_error_pointer(error), bad[i].pointer);
        check_contains(bad[i].text, routable_error_message(error), bad[i].says);
        routable_error_free(error);
        assert_int_equal(screens[0].released + screens[1].released + screens[2].released, 3 * (i + 1));
    }
    check_status(good, routable_presentation_builder_add_document(
        builder, NULL, good, strlen(good), presenters, 3, &error), ROUTABLE_OK, error);
    current = built(builder);
    check_set(current, "leaf/42", ROUTABLE_OK, "root=[leaf] root<leaf> ");
    routable_presentation_free(current);
}

#define ARGUMENT(call) assert_int_equal(call, ROUTABLE_ERR_ARGUMENT)

static void null_is_an_answer(void **state)
{
    struct screen screen = { .name = "screen" };
    const routable_presenter presenter = presenter_of(&screen);
    routable_presenter nameless = presenter;
    routable_presentation_builder *const builder = new_builder();
    const routable_str none = { NULL, 3 };
    void *shown = NULL;
    size_t count = 0;
    (void)state;
    nameless.name = NULL;
    ARGUMENT(routable_presentation_builder_new(NULL, NULL));
    ARGUMENT(routable_presentation_builder_add_junction(NULL, NULL, &presenter, NULL));
    ARGUMENT(routable_presentation_builder_add_stack(builder, NULL, NULL, NULL));
    ARGUMENT(routable_presentation_builder_add_presenter(builder, NULL, &nameless, NULL));
    ARGUMENT(routable_presentation_builder_add_pattern(builder, NULL, &presenter, NULL, 0, NULL));
    ARGUMENT(routable_presentation_builder_add_pattern(builder, NULL, &presenter, "x", 2, NULL));
    ARGUMENT(routable_presentation_builder_add_template(builder, NULL, &presenter, "x", NULL, 1, 0, NULL));
    ARGUMENT(routable_presentation_builder_add_predicate(builder, NULL, &presenter, NULL, &screen, screen_release, NULL));
    ARGUMENT(routable_presentation_builder_set_unmatched(builder, NULL, &screen, screen_release, NULL));
    ARGUMENT(routable_presentation_builder_add_document(builder, NULL, NULL, 3, NULL, 0, NULL));
    ARGUMENT(routable_presentation_builder_build(builder, NULL, NULL));
    assert_int_equal(screen.released, 8); /* each presenter that could be read, and the two others */
    assert_int_equal(routable_presentation_builder_build(builder, &current, NULL), ROUTABLE_ERR_DOCUMENT);
    ARGUMENT(routable_presentation_set(NULL, routable_str_from("x"), NULL));
    ARGUMENT(routable_presentation_handles(NULL, routable_str_from("x"), NULL));
    ARGUMENT(routable_presentation_presentable(NULL, &shown, NULL));
    ARGUMENT(routable_presentation_stack(NULL, routable_str_from("x"), &shown, 1, &count, NULL));
    add(builder, 'n', NULL, &screen, NULL);
    current = built(builder);
    ARGUMENT(routable_presentation_set(current, none, NULL));
    ARGUMENT(routable_presentation_presentable(current, NULL, NULL));
    ARGUMENT(routable_presentation_stack(current, routable_str_from("x"), &shown, 1, NULL, NULL));
    routable_presentation_free(current);
    routable_presentation_free(NULL);
    routable_presentation_builder_free(NULL);
    check_text("visit", routable_visit_path(NULL), "");
    check_size("visit", routable_visit_capture_count(NULL), 0);
    assert_int_equal(routable_visit_capture(NULL, "x").kind, ROUTABLE_KIND_NULL);
}

static void limits(void **state)
{
    static struct screen level[66];
    static char names[66][8];
    routable_presentation_builder *const builder = new_builder();
    routable_error *error = NULL;
    char hostile[40];
    int i;
    (void)state;
    for (i = 0; i < 64; i++) {
        level[i].name = names[i];
        sprintf(names[i], "l%d", i);
        add(builder, 'r', i ? names[i - 1] : NULL, &level[i], names[i]);
    }
    level[64].name = "deep";
    check_status("65 levels", try_add(builder, 'r', names[63], &level[64], "x", &error), ROUTABLE_ERR_LIMIT, error);
    check_text("names the presenter", routable_error_route(error), "deep");
    routable_error_free(error);
    level[65].name = "hostile"; /* a pattern with exponential cost fails with an error */
    add(builder, 'r', "l0", &level[65], "(a|aa)+[bc]");
    current = built(builder);
    check_stack(current, "l3", ROUTABLE_OK, "l0 l1 l2 l3 ");
    memset(hostile, 'a', sizeof hostile - 1);
    hostile[sizeof hostile - 1] = '\0';
    check_status("hostile", routable_presentation_handles(current, routable_str_from(hostile), &error), ROUTABLE_ERR_LIMIT, error);
    check_text("names the presenter", routable_error_route(error), "hostile");
    routable_error_free(error);
    routable_presentation_free(current);
}

static routable_status quiet_presentable(const routable_visit *visit, void **out, void *user_data)
{
    *out = routable_visit_path(visit).len ? user_data : NULL;
    return ROUTABLE_OK;
}
static routable_status quiet_child(void *child, const routable_visit *visit, void *user_data)
{
    (void)user_data;
    return child && routable_visit_route(visit).len ? ROUTABLE_OK : ROUTABLE_ERR_VALUE;
}
static routable_status quiet_children(void *const *children, size_t count, const routable_visit *visit, void *user_data)
{
    (void)visit, (void)user_data;
    return count == 2 && children[1] ? ROUTABLE_OK : ROUTABLE_ERR_VALUE;
}
static void *many_sets(void *failures)
{
    int i;
    for (i = 0; i < 2000; i++)
        if (routable_presentation_set(current, routable_str_from(i % 2 ? "leaf/12" : "b"), NULL) != ROUTABLE_OK)
            ++*(size_t *)failures;
    return NULL;
}

static void eight_threads(void **state)
{
    routable_presentation_builder *const builder = new_builder();
    routable_presenter presenter = ROUTABLE_PRESENTER_INIT;
    pthread_t threads[8];
    size_t failures[8] = { 0 }, i;
    (void)state;
    presenter.presentable = quiet_presentable;
    presenter.set_child = quiet_child;
    presenter.set_children = quiet_children;
    presenter.user_data = failures;
    presenter.name = "root";
    assert_int_equal(routable_presentation_builder_add_junction(builder, NULL, &presenter, NULL), ROUTABLE_OK);
    presenter.name = "a";
    assert_int_equal(routable_presentation_builder_add_pattern(builder, "root", &presenter, "leaf/(?<id>\\d+)", 0, NULL), ROUTABLE_OK);
    presenter.name = "b";
    assert_int_equal(routable_presentation_builder_add_pattern(builder, "root", &presenter, "b", 0, NULL), ROUTABLE_OK);
    current = built(builder);
    for (i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, many_sets, &failures[i]), 0);
    for (i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    for (i = 0; i < 8; i++)
        check_size("failures", failures[i], 0);
    routable_presentation_free(current);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(F16_captures_and_the_path_reach_presenters),
        cmocka_unit_test(F15_predicates_and_the_unmatched),
        cmocka_unit_test(functions_that_fail),
        cmocka_unit_test(set_within_set),
        cmocka_unit_test(freed_while_it_calls),
        cmocka_unit_test(documents),
        cmocka_unit_test(null_is_an_answer),
        cmocka_unit_test(limits),
        cmocka_unit_test(eight_threads),
    };
    return cmocka_run_group_tests_name("presentation hosts", tests, NULL, NULL);
}
