/* Descriptions of several files from C: references to files below a folder, documents from a loader, YAML. */
#include "support.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[256];

static int sets_up(void **state)
{
    (void)state;
    return make_folder(folder, sizeof folder) ? 0 : -1;
}

static const char *path_of(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_text(const char *name, const char *text)
{
    FILE *const file = fopen(path_of(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    fclose(file);
}

#define HEAD "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"servers\":[{\"url\":\"https://h.test\"}],\"paths\":"
#define ITEM "{\"post\":{\"operationId\":\"add\",\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":" \
    "{\"$ref\":\"pet.json\"}}}},\"responses\":{}}}"
#define PET "{\"type\":\"object\",\"required\":[\"name\"]}"

static void check_adds(const char *what, routable_router *router)
{
    routable_call call = ROUTABLE_CALL_INIT;
    routable_request *request = NULL;
    routable_error *error = NULL;
    call.operation = "add";
    call.body = routable_value_json("{\"name\":\"a\"}");
    check_status(what, routable_request_new(router, &call, &request, &error), ROUTABLE_OK, error);
    routable_request_free(request);
    call.body = routable_value_json("{}");
    check_status(what, routable_request_new(router, &call, &request, &error), ROUTABLE_ERR_BODY, error);
    routable_error_free(error);
}

static void follows_files(void **state)
{
    routable_router *router = NULL;
    routable_error *error = NULL;
    (void)state;
    write_text("api.json", HEAD "{\"/a\":{\"$ref\":\"a.json\"}}}");
    write_text("a.json", ITEM);
    write_text("pet.json", PET);
    check_status("files", routable_router_open_file(path_of("api.json"), NULL, &router, &error), ROUTABLE_OK, error);
    check_size("warnings", routable_router_warning_count(router), 0);
    check_adds("files", router);
    routable_router_free(router);
}

static void refuses_what_leaves_the_folder(void **state)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_router *router = NULL;
    routable_error *error = NULL;
    char path[600];
    (void)state;
    write_text("pet.json", PET);
    assert_true(mkdir(path_of("inner"), 0777) == 0);
    write_text("inner/api.json", HEAD "{\"/a\":{\"$ref\":\"../a.json\"}}}");
    write_text("a.json", ITEM);
    snprintf(path, sizeof path, "%s", path_of("inner/api.json"));
    check_status("..", routable_router_open_file(path, NULL, &router, &error), ROUTABLE_ERR_DOCUMENT, error);
    check_contains("..", routable_error_message(error), "the reference \"../a.json\" leaves the folder of the document");
    check_text("..", routable_error_pointer(error), "/paths/~1a/$ref");
    routable_error_free(error);
    assert_null(router);

    options.folder = folder;
    check_status("a wider folder", routable_router_open_file(path, &options, &router, &error), ROUTABLE_OK, error);
    check_adds("a wider folder", router);
    routable_router_free(router);

    options.folder = "/usr/lib";
    check_status("another folder", routable_router_open_file(path, &options, &router, &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error);
    options.folder = folder;
    check_status("a text has no folder", routable_router_open(HEAD "{}}", ROUTABLE_NUL_TERMINATED, &options, &router, &error),
        ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error);
}

struct loads {
    int count;
    routable_status status;
};

static routable_status load(routable_str uri, routable_str *out, void *user_data)
{
    struct loads *const loads = user_data;
    loads->count++;
    if (loads->status != ROUTABLE_OK)
        return loads->status;
    if (same_text(uri, "https://h.test/api/a.json"))
        *out = routable_str_from(ITEM);
    if (same_text(uri, "https://h.test/api/pet.json"))
        *out = routable_str_from(PET);
    return ROUTABLE_OK;
}

static void follows_what_a_loader_returns(void **state)
{
    static const char *const text = HEAD "{\"/a\":{\"$ref\":\"a.json\"},\"/b\":{\"$ref\":\"nothing.json\"},\"/c\":{\"$ref\":\"nothing.json\"}}}";
    struct loads loads = { 0, ROUTABLE_OK };
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_router *router = NULL;
    routable_error *error = NULL;
    (void)state;
    options.uri = "https://h.test/api/openapi.json";
    options.load = load;
    options.load_user_data = &loads;
    check_status("loader", routable_router_open(text, ROUTABLE_NUL_TERMINATED, &options, &router, &error), ROUTABLE_OK, error);
    check_adds("loader", router);
    check_size("each document once", (size_t)loads.count, 3);
    assert_true(routable_router_warning_count(router) >= 1);
    check_contains("missing", routable_router_warning_at(router, 0), "#/paths/~1b/$ref: ");
    routable_router_free(router);
    router = NULL;

    loads.status = ROUTABLE_ERR_FILE;
    check_status("a loader that fails", routable_router_open(text, ROUTABLE_NUL_TERMINATED, &options, &router, &error),
        ROUTABLE_ERR_CALLBACK, error);
    check_contains("a loader that fails", routable_error_message(error), "https://h.test/api/");
    routable_error_free(error);
    assert_null(router);
}

static void errors_name_the_file(void **state)
{
    routable_router *router = NULL;
    routable_error *error = NULL;
    char expected[600];
    (void)state;
    write_text("api.json", HEAD "{\"/a\":{\"$ref\":\"a.json\"}}}");
    write_text("a.json", "{\n \"get\": {\"parameters\": [\n  {\"in\": \"query\"}]}}");
    check_status("another file", routable_router_open_file(path_of("api.json"), NULL, &router, &error), ROUTABLE_ERR_DOCUMENT, error);
    snprintf(expected, sizeof expected, "%s: the parameter has no \"name\"", path_of("a.json"));
    check_text("another file", routable_error_message(error), expected);
    check_text("another file", routable_error_pointer(error), "/get/parameters/0");
    check_size("line", routable_error_line(error), 3);
    check_size("column", routable_error_column(error), 3);
    routable_error_free(error);
}

static void reads_yaml(void **state)
{
    static const char *const text =
        "openapi: 3.1.0\ninfo: {title: t, version: 1.10}\npaths:\n  /a:\n    get: {operationId: a, responses: {200: {description: x}}}\n";
    routable_router *router = NULL;
    routable_error *error = NULL;
    routable_string json = ROUTABLE_STRING_INIT;
    (void)state;
    check_status("yaml", routable_router_open(text, ROUTABLE_NUL_TERMINATED, NULL, &router, &error), ROUTABLE_OK, error);
    check_status("yaml", routable_router_document(router, &json, &error), ROUTABLE_OK, error);
    check_text("yaml", routable_str_from(json.ptr),
        "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":1.10},\"paths\":{\"/a\":{\"get\":{\"operationId\":\"a\","
        "\"responses\":{\"200\":{\"description\":\"x\"}}}}}}");
    routable_string_free(&json);
    routable_router_free(router);
    router = NULL;
    check_status("a key twice", routable_router_open("openapi: 3.1.0\nopenapi: 3.1.0\n", ROUTABLE_NUL_TERMINATED, NULL, &router, &error),
        ROUTABLE_ERR_JSON, error);
    check_size("line", routable_error_line(error), 2);
    routable_error_free(error);
    check_status("a route document", routable_router_open("routable: 1\nresources:\n  user: {pth: users}\n", ROUTABLE_NUL_TERMINATED, NULL,
        &router, &error), ROUTABLE_ERR_DOCUMENT, error);
    check_size("line", routable_error_line(error), 3);
    check_size("column", routable_error_column(error), 10);
    routable_error_free(error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_files), cmocka_unit_test(refuses_what_leaves_the_folder),
        cmocka_unit_test(follows_what_a_loader_returns), cmocka_unit_test(errors_name_the_file), cmocka_unit_test(reads_yaml),
    };
    return cmocka_run_group_tests(tests, sets_up, NULL);
}
