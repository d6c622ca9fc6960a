/* Trees of presenters through the C interface: from Tests/conformance/own, or from the folder that ROUTABLE_DATA names. */
#include "presentation_host.h"

static struct screen screens[32];
static size_t screen_count;

static void add_node(routable_presentation_builder *builder, const char *parent, json_t *node)
{
    struct screen *const screen = &screens[screen_count++];
    const char *const kind = json_string_value(json_object_get(node, "kind"));
    const char *const rule = json_string_value(json_object_get(node, "predicate"));
    size_t index;
    json_t *child;
    assert_true(screen_count < sizeof screens / sizeof *screens);
    screen->name = json_string_value(json_object_get(node, "id"));
    add(builder, *kind, parent, screen, rule);
    json_array_foreach(json_object_get(node, "children"), index, child)
        add_node(builder, screen->name, child);
}

/* The expected calls of the vector in the format of the host: "ROOT=[a,b] ROOT<a> ". */
static void expected_log(char *out, const char *root, json_t *wanted)
{
    json_t *const children = json_object_get(wanted, "children");
    json_t *const active = json_object_get(wanted, "active_child");
    size_t index;
    json_t *child;
    out[0] = '\0';
    if (children != NULL) {
        sprintf(out, "%s=[", root);
        json_array_foreach(children, index, child)
            sprintf(out + strlen(out), "%s%s", index ? "," : "", json_string_value(child));
        strcat(out, "] ");
    }
    if (json_is_string(active))
        sprintf(out + strlen(out), "%s<%s> ", root, json_string_value(active));
}

static void check_vector(json_t *vector)
{
    json_t *const tree = json_object_get(vector, "tree");
    const char *const root = json_string_value(json_object_get(tree, "id"));
    routable_presentation_builder *const builder = new_builder();
    routable_presentation *presentation;
    const char *path;
    json_t *wanted;
    screen_count = 0;
    memset(screens, 0, sizeof screens);
    add_node(builder, NULL, tree);
    presentation = built(builder);
    json_object_foreach(json_object_get(vector, "handles"), path, wanted)
        check_handles(presentation, path, json_is_true(wanted) ? ROUTABLE_OK : ROUTABLE_NO_MATCH);
    json_object_foreach(json_object_get(vector, "stack"), path, wanted) {
        char names[1024] = "";
        size_t index;
        json_t *name;
        json_array_foreach(wanted, index, name) {
            strcat(names, json_string_value(name));
            strcat(names, " ");
        }
        check_stack(presentation, path, json_is_null(wanted) ? ROUTABLE_NO_MATCH : ROUTABLE_OK, names);
    }
    json_object_foreach(json_object_get(vector, "set_route"), path, wanted) {
        char log[1024];
        routable_error *error = NULL;
        start_log();
        check_status(path, routable_presentation_set(presentation, routable_str_from(path), &error),
            json_is_true(json_object_get(wanted, "result")) ? ROUTABLE_OK : ROUTABLE_NO_MATCH, error);
        routable_error_free(error);
        expected_log(log, root, wanted);
        if (json_object_get(wanted, "children") != NULL)
            check_text(path, routable_str_from(told), log);
    }
    routable_presentation_free(presentation);
}

static void trees(void **state)
{
    const char *const directory = getenv("ROUTABLE_DATA");
    char file[4096];
    json_error_t error;
    json_t *data, *vector;
    size_t index;
    (void)state;
    snprintf(file, sizeof file, "%s/routing/featherweightrouter-trees.json",
        directory != NULL ? directory : "Tests/conformance/own");
    data = json_load_file(file, 0, &error);
    if (data == NULL)
        fail_msg("%s: %s", file, error.text);
    assert_true(json_array_size(json_object_get(data, "vectors")) >= 4);
    json_array_foreach(json_object_get(data, "vectors"), index, vector)
        check_vector(vector);
    json_decref(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(trees) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
