/* Presentation routing as specified in statements F1 to F21, and the tree of the article (F20). */
#include "presentation_host.h"

/* tabs: [nav: stack of welcome {register, login}, about] */
static struct screen tabs = { .name = "tabs" }, nav = { .name = "nav" }, welcome = { .name = "welcome" },
                     registering = { .name = "register" }, login = { .name = "login" }, about = { .name = "about" };

static routable_presentation *article(void)
{
    routable_presentation_builder *const builder = new_builder();
    add(builder, 'j', NULL, &tabs, NULL);
    add(builder, 's', "tabs", &nav, NULL);
    add(builder, 'r', "nav", &welcome, "welcome");
    add(builder, 'r', "welcome", &registering, "welcome/register");
    add(builder, 'r', "welcome", &login, "welcome/login");
    add(builder, 'r', "tabs", &about, "about");
    return built(builder);
}

static void F1_bare(void **state)
{
    static struct screen alone = { .name = "alone" };
    routable_presentation_builder *const builder = new_builder();
    routable_presentation *presentation;
    void *shown = NULL;
    (void)state;
    add(builder, 'n', NULL, &alone, NULL);
    presentation = built(builder);
    check_handles(presentation, "", ROUTABLE_NO_MATCH);
    check_handles(presentation, "alone", ROUTABLE_NO_MATCH);
    check_stack(presentation, "", ROUTABLE_NO_MATCH, "");
    check_set(presentation, "", ROUTABLE_NO_MATCH, "");
    assert_int_equal(routable_presentation_presentable(presentation, &shown, NULL), ROUTABLE_OK);
    assert_ptr_equal(shown, &alone);
    routable_presentation_free(presentation);
}

static void F2_a_built_tree_does_not_change(void **state)
{
    static struct screen root = { .name = "root" }, first = { .name = "first" }, second = { .name = "second" };
    routable_presentation_builder *const builder = new_builder();
    routable_presentation *before = NULL, *after;
    (void)state;
    add(builder, 'j', NULL, &root, NULL);
    add(builder, 'r', "root", &first, "first");
    assert_int_equal(routable_presentation_builder_build(builder, &before, NULL), ROUTABLE_OK);
    add(builder, 'r', "root", &second, "second");
    after = built(builder);
    check_set(before, "second", ROUTABLE_NO_MATCH, "root=[first] ");
    check_set(after, "second", ROUTABLE_OK, "root=[first,second] root<second> ");
    routable_presentation_free(before);
    routable_presentation_free(after);
    assert_int_equal(first.released, 1);
}

static void F3_F4_F5_F6_F7_junctions(void **state)
{
    static struct screen router = { .name = "router" }, one = { .name = "junction1" }, two = { .name = "junction2" },
                         nested = { .name = "nestedChild" }, late = { .name = "late" };
    routable_presentation_builder *const builder = new_builder();
    routable_presentation *presentation;
    (void)state;
    add(builder, 'j', NULL, &router, NULL);
    add(builder, 'r', "router", &one, "junction1");
    add(builder, 'r', "junction1", &nested, "nested.*");
    add(builder, 'r', "router", &two, "junction2");
    add(builder, 'r', "router", &late, "nestedChild");
    presentation = built(builder);
    start_log();
    check_handles(presentation, "junction1", ROUTABLE_OK);
    check_handles(presentation, "nestedChild", ROUTABLE_OK);
    check_handles(presentation, "router", ROUTABLE_NO_MATCH); /* F3: not its own name */
    check_text("F3: asking sets nothing", routable_str_from(told), "");
    check_set(presentation, "junction2", ROUTABLE_OK, "router=[junction1,junction2,late] router<junction2> ");
    check_set(presentation, "none", ROUTABLE_NO_MATCH, "router=[junction1,junction2,late] "); /* F4 */
    /* F5: the route's own set returns false, the junction's true.  F6: the child that contains it.  F7: the first one. */
    check_set(presentation, "nestedChild", ROUTABLE_OK, "router=[junction1,junction2,late] router<junction1> ");
    check_stack(presentation, "junction1", ROUTABLE_NO_MATCH, ""); /* F11: a junction has no stack */
    routable_presentation_free(presentation);
}

static void F8_stacks(void **state)
{
    static struct screen pile = { .name = "pile" }, first = { .name = "child1" }, second = { .name = "child2" };
    routable_presentation_builder *const builder = new_builder();
    routable_presentation *presentation;
    (void)state;
    add(builder, 's', NULL, &pile, NULL);
    add(builder, 'r', "pile", &first, "child1");
    add(builder, 'r', "pile", &second, "child2");
    presentation = built(builder);
    check_set(presentation, "child2", ROUTABLE_OK, "pile=[child2] ");
    check_set(presentation, "pile", ROUTABLE_OK, "pile=[] ");
    check_handles(presentation, "pile", ROUTABLE_NO_MATCH);
    routable_presentation_free(presentation);
}

static void F9_F10_routes(void **state)
{
    static struct screen root = { .name = "presentable" }, one = { .name = "child1" }, two = { .name = "child2" },
                         nested = { .name = "nestedChild" };
    routable_presentation_builder *const builder = new_builder();
    routable_presentation *presentation;
    void *none[1];
    size_t count = 0;
    routable_error *error = NULL;
    (void)state;
    add(builder, 'r', NULL, &root, "route");
    add(builder, 'r', "presentable", &one, "child1");
    add(builder, 'r', "presentable", &two, "child2");
    add(builder, 'r', "child2", &nested, "nestedChild");
    presentation = built(builder);
    check_stack(presentation, "route", ROUTABLE_OK, "presentable ");
    check_stack(presentation, "child1", ROUTABLE_OK, "presentable child1 ");
    check_stack(presentation, "nestedChild", ROUTABLE_OK, "presentable child2 nestedChild ");
    check_stack(presentation, "invalid", ROUTABLE_NO_MATCH, "");
    check_handles(presentation, "nestedChild", ROUTABLE_OK);
    check_set(presentation, "nestedChild", ROUTABLE_NO_MATCH, ""); /* F10 */
    check_status("two places", routable_presentation_stack(
        presentation, routable_str_from("nestedChild"), none, 1, &count, &error), ROUTABLE_ERR_BUFFER, error);
    assert_int_equal(count, 3);
    routable_error_free(error);
    routable_presentation_free(presentation);
}

static void F11_F13_refused_when_declared(void **state)
{
    static const struct { char kind; const char *parent, *rule; routable_status status; const char *says; } cases[] = {
        { 'j', "pile", NULL, ROUTABLE_ERR_DOCUMENT, "a junction in the stack \"pile\"" },
        { 's', "pile", NULL, ROUTABLE_ERR_DOCUMENT, "a stack in the stack \"pile\"" },
        { 'j', "leaf", NULL, ROUTABLE_ERR_DOCUMENT, "a junction below the route \"leaf\"" },
        { 'r', "pile", "(", ROUTABLE_ERR_DOCUMENT, "not valid at byte 1" },
        { 'r', "pile", "a{2,1}", ROUTABLE_ERR_DOCUMENT, "not valid" },
        { 't', "pile", "a/{", ROUTABLE_ERR_DOCUMENT, "is not closed" },
        { 'r', "plie", "x", ROUTABLE_ERR_UNKNOWN, "did you mean \"pile\"" },
        { 'r', NULL, "x", ROUTABLE_ERR_CONFLICT, "already a root" },
    };
    struct screen pile = { .name = "pile" }, leaf = { .name = "leaf" };
    routable_presentation_builder *const builder = new_builder();
    size_t i;
    (void)state;
    add(builder, 's', NULL, &pile, NULL);
    add(builder, 'r', "pile", &leaf, "leaf");
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct screen wrong = { .name = "wrong" };
        routable_error *error = NULL;
        check_status(cases[i].says, try_add(builder, cases[i].kind, cases[i].parent, &wrong, cases[i].rule, &error),
            cases[i].status, error);
        check_contains(cases[i].says, routable_error_message(error), cases[i].says);
        check_contains(cases[i].says, routable_error_message(error), "\"wrong\"");
        check_text("names the presenter", routable_error_route(error), "wrong");
        assert_int_equal(wrong.released, 1); /* released, because it was refused */
        routable_error_free(error);
    }
    routable_presentation_free(built(builder));
    assert_int_equal(pile.released + leaf.released, 2);
}

static void F12_F13_F14_patterns(void **state)
{
    static const struct { const char *pattern, *path; routable_status expected; } cases[] = {
        { "animal/\\w+", "animal/cow", ROUTABLE_OK },
        { "animal/\\w+", "animal/cow/x", ROUTABLE_NO_MATCH },
        { "animal/\\w+", "Animal/cow", ROUTABLE_NO_MATCH },
        { "animal", "foo\nanimal", ROUTABLE_NO_MATCH }, /* F13 */
        { "animal", "animal\n", ROUTABLE_NO_MATCH },
        { "animal|zoo", "animalx", ROUTABLE_NO_MATCH },
        { "animal|zoo", "xzoo", ROUTABLE_NO_MATCH },
        { "animal|zoo", "zoo", ROUTABLE_OK },
        { "MATCH", "yesMATCHyes", ROUTABLE_NO_MATCH }, /* F14: a route matches as a whole */
        { ".*MATCH.*", "yesMATCHyes", ROUTABLE_OK },
        { ".*MATCH.*", "match", ROUTABLE_NO_MATCH },
        { "^MATCH$", "MATCHnope", ROUTABLE_NO_MATCH },
        { "^MATCH$", "MATCH", ROUTABLE_OK },
        { "a\\.b", "a.b", ROUTABLE_OK },
        { "a\\.b", "axb", ROUTABLE_NO_MATCH },
        { "ab?c", "ac", ROUTABLE_OK },
        { "ab*", "a", ROUTABLE_OK },
        { "ab{2}", "abb", ROUTABLE_OK },
        { "caf\xC3\xA9?", "caf", ROUTABLE_OK },
        { "", "", ROUTABLE_OK },
        { ".*", "\xFF", ROUTABLE_NO_MATCH }, /* not UTF-8 */
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct screen root = { .name = "root" };
        routable_presentation_builder *const builder = new_builder();
        routable_presentation *presentation;
        add(builder, 'r', NULL, &root, cases[i].pattern);
        presentation = built(builder);
        print_message("%s on %s\n", cases[i].pattern, cases[i].path);
        check_handles(presentation, cases[i].path, cases[i].expected);
        routable_presentation_free(presentation);
    }
}

static void relative_and_absolute(void **state)
{
    static struct screen root = { .name = "root" }, cow = { .name = "cow" }, calf = { .name = "calf" },
                         zoo = { .name = "zoo" };
    routable_presentation_builder *const builder = new_builder();
    routable_presentation *presentation;
    (void)state;
    add(builder, 'r', NULL, &root, "animal|beast");
    add(builder, 'R', "root", &cow, "cow");
    add(builder, 'R', "cow", &calf, "calf");
    add(builder, 'r', "root", &zoo, "zoo");
    presentation = built(builder);
    check_stack(presentation, "beast/cow/calf", ROUTABLE_OK, "root cow calf ");
    check_stack(presentation, "zoo", ROUTABLE_OK, "root zoo ");
    check_handles(presentation, "animal/zoo", ROUTABLE_NO_MATCH);
    routable_presentation_free(presentation);
}

static void F17_unset_callbacks(void **state)
{
    static struct screen root = { .name = "root" }, leaf = { .name = "leaf" };
    int i;
    (void)state;
    for (i = 0; i < 2; i++) {
        routable_presentation_builder *const builder = new_builder();
        routable_presenter presenter = presenter_of(&root);
        routable_presentation *presentation;
        routable_error *error = NULL;
        if (i == 0)
            presenter.set_child = NULL;
        else
            presenter.set_children = NULL;
        assert_int_equal(routable_presentation_builder_add_junction(builder, NULL, &presenter, NULL), ROUTABLE_OK);
        add(builder, 'r', "root", &leaf, "leaf");
        presentation = built(builder);
        start_log();
        check_status("leaf", routable_presentation_set(presentation, routable_str_from("leaf"), &error),
            ROUTABLE_ERR_CALLBACK, error);
        check_text("nothing is called", routable_str_from(told), "");
        check_text("names the presenter", routable_error_route(error), "root");
        check_contains("message", routable_error_message(error), i == 0 ? "set child" : "set children");
        routable_error_free(error);
        if (i == 0)
            check_set(presentation, "none", ROUTABLE_NO_MATCH, "root=[leaf] "); /* not requested in this case */
        routable_presentation_free(presentation);
    }
}

static void F18_presentables_are_asked_for_on_use(void **state)
{
    routable_presentation *const presentation = article();
    (void)state;
    assert_int_equal(login.made + about.made + tabs.made, 0);
    check_handles(presentation, "welcome/login", ROUTABLE_OK);
    assert_int_equal(login.made + about.made + tabs.made, 0);
    check_set(presentation, "about", ROUTABLE_OK, "tabs=[nav,about] tabs<about> ");
    assert_int_equal(login.made, 0);
    assert_int_equal(about.made, 2);
    routable_presentation_free(presentation);
}

static void F19_paths_are_taken_as_they_are(void **state)
{
    routable_presentation *const presentation = article();
    (void)state;
    check_handles(presentation, "About", ROUTABLE_NO_MATCH);
    check_handles(presentation, "/about", ROUTABLE_NO_MATCH);
    check_handles(presentation, "app://about", ROUTABLE_NO_MATCH);
    check_handles(presentation, "about/", ROUTABLE_NO_MATCH);
    routable_presentation_free(presentation);
}

static void F20_F21_the_article(void **state)
{
    routable_presentation *const presentation = article();
    int i;
    (void)state;
    for (i = 0; i < 2; i++) { /* F21: repeating a set makes the same calls */
        check_set(presentation, "welcome/login", ROUTABLE_OK, "tabs=[nav,about] nav=[welcome,login] tabs<nav> ");
        check_set(presentation, "about", ROUTABLE_OK, "tabs=[nav,about] tabs<about> ");
    }
    check_set(presentation, "welcome", ROUTABLE_OK, "tabs=[nav,about] nav=[welcome] tabs<nav> ");
    check_set(presentation, "nowhere", ROUTABLE_NO_MATCH, "tabs=[nav,about] ");
    routable_presentation_free(presentation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(F1_bare),
        cmocka_unit_test(F2_a_built_tree_does_not_change),
        cmocka_unit_test(F3_F4_F5_F6_F7_junctions),
        cmocka_unit_test(F8_stacks),
        cmocka_unit_test(F9_F10_routes),
        cmocka_unit_test(F11_F13_refused_when_declared),
        cmocka_unit_test(F12_F13_F14_patterns),
        cmocka_unit_test(relative_and_absolute),
        cmocka_unit_test(F17_unset_callbacks),
        cmocka_unit_test(F18_presentables_are_asked_for_on_use),
        cmocka_unit_test(F19_paths_are_taken_as_they_are),
        cmocka_unit_test(F20_F21_the_article),
    };
    return cmocka_run_group_tests_name("presentation", tests, NULL, NULL);
}
