/* Matching: no allocation, no read out of bounds, and the same results from a workspace. */
#include "counting.h"
#include "social.h"

#include <sys/mman.h>
#include <time.h>

static routable_status match(const char *path, size_t length, routable_match *out)
{
    return routable_router_match(social, "GET", routable_str_from_bytes(path, length), 0, out);
}

static void no_allocation(void **state)
{
    static const char *const paths[] = { "/users", "/users/initFabian", "/users/initFabian/statuses/3/comments/32352/users/x",
        "/users/%66abian/statuses/3?page=2#top", "https://api.example.com/v1/users/a", "/nothing/of/this/kind", "/", "" };
    routable_match found;
    size_t index, turn, matched = 0;
    (void)state;
#ifdef UNOPTIMIZED
    print_message("a library that is not optimized allocates when it matches\n");
    skip();
#endif
    if (!can_count()) {
        print_message("allocations cannot be counted here\n");
        skip();
    }
    allocations = 0;
    counting = 1;
    for (turn = 0; turn < 100; turn++)
        for (index = 0; index < sizeof paths / sizeof *paths; index++)
            matched += match(paths[index], strlen(paths[index]), &found) == ROUTABLE_OK;
    counting = 0;
    check_size("matched", matched, 500);
    check_size("allocations of 800 matches", allocations, 0);
}

/* Methods of eight bytes and more are compared completely, without an allocation. */
static void long_methods(void **state)
{
    static const char *const methods[] = { "PROPFIND", "PROPFINDER", "PROPFINE" };
    static const char *const others[] = { "PROPFIN", "PROPFINDE", "PROPFINDERS", "PROPFINDs", "GET" };
    routable_builder *builder = NULL;
    routable_router *router = NULL;
    routable_match found;
    size_t index;
    (void)state;
    assert_int_equal(routable_builder_new("long", "https://h", &builder, NULL), ROUTABLE_OK);
    for (index = 0; index < sizeof methods / sizeof *methods; index++) {
        routable_operation_options options = ROUTABLE_OPERATION_OPTIONS_INIT;
        options.name = methods[index];
        options.method = methods[index];
        options.path = "/find";
        assert_int_equal(routable_builder_add_operation(builder, &options, NULL), ROUTABLE_OK);
    }
    assert_int_equal(routable_builder_build(builder, &router, NULL), ROUTABLE_OK);
    counting = can_count();
    allocations = 0;
    for (index = 0; index < sizeof methods / sizeof *methods; index++) {
        assert_int_equal(routable_router_match(router, methods[index], routable_str_from("/find"), 0, &found), ROUTABLE_OK);
        assert_int_equal(found.operation, (int)index);
    }
    for (index = 0; index < sizeof others / sizeof *others; index++)
        assert_int_equal(
            routable_router_match(router, others[index], routable_str_from("/find"), 0, &found), ROUTABLE_METHOD_NOT_ALLOWED);
    counting = 0;
    check_size("allocations", allocations, 0);
    routable_router_free(router);
    routable_builder_free(builder);
}

/* --- Hostile paths --- */

enum { PAGE = 4096, ROOM = 2 << 20 };

/* Space for paths between two unreadable pages. */
static char *guarded(void)
{
    char *const all = (char *)mmap(NULL, ROOM + 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(all != MAP_FAILED);
    assert_int_equal(mprotect(all, PAGE, PROT_NONE), 0);
    assert_int_equal(mprotect(all + PAGE + ROOM, PAGE, PROT_NONE), 0);
    return all + PAGE;
}

/* Two operations with the same path and method differ in a constant of the body: the match is the first of them. */
static void operations_that_share_a_path(void **state)
{
    static const char text[] =
        "{\"routable\":1,\"base\":\"https://h\",\"operations\":{"
        "\"call\":{\"post\":\"/rpc\",\"body\":{\"required\":[\"method\"],\"properties\":{\"method\":{\"const\":\"eth_call\"}}}},"
        "\"chain\":{\"post\":\"/rpc\",\"body\":{\"required\":[\"method\"],\"properties\":{\"method\":{\"const\":\"eth_chainId\"}}}},"
        "\"read\":{\"get\":\"/rpc\"}}}";
    routable_router *router = NULL;
    routable_match found;
    (void)state;
    assert_int_equal(routable_router_open(text, sizeof text - 1, NULL, &router, NULL), ROUTABLE_OK);
    assert_int_equal(routable_router_match(router, "POST", routable_str_from("/rpc"), 0, &found), ROUTABLE_OK);
    assert_string_equal(routable_operation_name(routable_match_operation(router, &found)).ptr, "call");
    check_size("alternatives", routable_match_alternative_count(router, &found), 1);
    assert_string_equal(routable_operation_name(routable_match_alternative_at(router, &found, 0)).ptr, "chain");
    assert_null(routable_match_alternative_at(router, &found, 1));
    assert_int_equal(routable_router_match(router, "GET", routable_str_from("/rpc"), 0, &found), ROUTABLE_OK);
    check_size("alternatives of GET", routable_match_alternative_count(router, &found), 0);
    assert_int_equal(routable_router_match(router, "POST", routable_str_from("/none"), 0, &found), ROUTABLE_NO_MATCH);
    check_size("alternatives of nothing", routable_match_alternative_count(router, &found), 0);
    check_size("without a router", routable_match_alternative_count(NULL, &found), 0);
    assert_null(routable_match_alternative_at(router, NULL, 0));
    routable_router_free(router);
}

static void free_guarded(char *memory) { munmap(memory - PAGE, ROOM + 2 * PAGE); }

/* The result is the same at every address, and takes bounded time. */
static void check_hostile(char *memory, const char *name, const char *path, size_t length, routable_status expected)
{
    const uint32_t flags[] = { 0, ROUTABLE_MATCH_IGNORE_SLASH | ROUTABLE_MATCH_IGNORE_CASE | ROUTABLE_MATCH_MERGE_SLASHES };
    struct timespec start, end;
    routable_match found;
    size_t place, option;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (place = 0; place < 2; place++) {
        char *const at = place ? memory : memory + ROOM - length;
        if (length) memcpy(at, path, length);
        check_status(name, match(at, length, &found), expected, NULL);
        for (option = 0; option < 2; option++)
            (void)routable_router_match(social, NULL, routable_str_from_bytes(at, length), flags[option], &found);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (end.tv_sec - start.tv_sec > patience(5000) / 1000) fail_msg("%s took %ld s", name, (long)(end.tv_sec - start.tv_sec));
}

static void bytes_at_the_edge_of_memory(void **state)
{
    static const char start[] = "/users/initFabian/statuses/3/comments/32352/users/";
    char *const memory = guarded(), path[256];
    size_t length;
    routable_match found;
    (void)state;
    memset(path, 'x', sizeof path);
    memcpy(path, start, sizeof start - 1);
    for (length = 0; length < sizeof path; length++) {
        const routable_status expected = match(path, length, &found);
        check_hostile(memory, "a prefix", path, length, expected);
    }
    free_guarded(memory);
}

static void hostile_paths_are_answered(void **state)
{
    enum { MEGABYTE = 1 << 20 };
    char *const memory = guarded(), *const path = (char *)malloc(MEGABYTE + 16);
    size_t length;
    (void)state;
    memset(path, '/', MEGABYTE);
    check_hostile(memory, "1 MB of slashes", path, MEGABYTE, ROUTABLE_NO_MATCH);
    memset(path, 'x', MEGABYTE);
    check_hostile(memory, "1 MB without a slash", path, MEGABYTE, ROUTABLE_NO_MATCH);
    memcpy(path, "/users/", 7);
    check_hostile(memory, "a segment of 1 MB", path, MEGABYTE, ROUTABLE_OK);
    for (length = 0; length + 3 <= 40000; length += 2) memcpy(path + length, "/a", 2);
    check_hostile(memory, "20,000 segments", path, length, ROUTABLE_NO_MATCH);
    check_hostile(memory, "NUL", "/users/\0\0", 9, ROUTABLE_OK);
    check_hostile(memory, "not UTF-8", "/users/\xFF\xC0\x80", 10, ROUTABLE_OK);
    check_hostile(memory, "half an escape", "/users/%4", 9, ROUTABLE_OK);
    for (length = 7; length + 3 <= MEGABYTE; length += 3) memcpy(path + length, "%2F", 3);
    memcpy(path, "/users/", 7);
    check_hostile(memory, "1 MB of escapes", path, length, ROUTABLE_OK);
    free(path);
    free_guarded(memory);
}

/* --- Workspaces --- */

/* The end of a path before a query or a fragment is found in paths of all lengths, because they are scanned in blocks. */
static void queries_end_long_paths(void **state)
{
    static const char *const paths[] = { "/files/{path*}", "/an-identifier-of-many-bytes/{id}", "/another-identifier-of-many-bytes" };
    routable_builder *builder = NULL;
    routable_router *router = NULL;
    routable_match found;
    char name[2] = "a", path[640], expected[80];
    size_t length;
    (void)state;
    check_status("builder", routable_builder_new("long", NULL, &builder, NULL), ROUTABLE_OK, NULL);
    for (size_t index = 0; index < sizeof paths / sizeof *paths; index++, name[0]++) {
        routable_operation_options options = { 0 };
        options.size = sizeof options;
        options.name = name;
        options.method = "GET";
        options.path = paths[index];
        check_status(paths[index], routable_builder_add_operation(builder, &options, NULL), ROUTABLE_OK, NULL);
    }
    check_status("build", routable_builder_build(builder, &router, NULL), ROUTABLE_OK, NULL);
    for (length = 1; length < 560; length++)
        for (const char *rest = "/?#%"; *rest; rest++) {
            memset(path, 'x', sizeof path);
            memcpy(path, "/files/a/", 9);
            strcpy(path + 9 + length, *rest == '/' ? "/b/c" : *rest == '?' ? "?x=/1" : *rest == '#' ? "#top" : "%2F");
            snprintf(expected, sizeof expected, "%zu bytes, then \"%c\"", length, *rest);
            check_status(expected, routable_router_match(router, "GET", routable_str_from(path), 0, &found), ROUTABLE_OK, NULL);
            check_size(expected, found.capture_count, 1);
            check_size(expected, found.captures[0].length, 2 + length + (*rest == '/' ? 4 : *rest == '%' ? 3 : 0));
        }
    for (length = 1; length < 90; length++) {
        memset(path, 'x', sizeof path);
        memcpy(path, "/an-identifier-of-many-bytes/", 29);
        path[29 + length] = 0;
        check_status(path, routable_router_match(router, NULL, routable_str_from_bytes(path, 29 + length), 0, &found), ROUTABLE_OK, NULL);
        check_size(path, found.captures[0].length, length);
        path[20]++; /* in the middle, between the words that a slot stores */
        check_status(path, routable_router_match(router, NULL, routable_str_from_bytes(path, 29 + length), 0, &found), ROUTABLE_NO_MATCH, NULL);
    }
    check_status("long", routable_router_match(router, NULL, routable_str_from(paths[2]), 0, &found), ROUTABLE_OK, NULL);
    check_status("shorter", routable_router_match(router, NULL, routable_str_from_bytes(paths[2], strlen(paths[2]) - 1), 0, &found), ROUTABLE_NO_MATCH, NULL);
    routable_router_free(router);
    routable_builder_free(builder);
}

static void workspace_gives_the_same(void **state)
{
    static const char *const paths[] = { "/users", "/users/initFabian/statuses/3", "/users/a/statuses/3/comments/7/users/b", "/no" };
    static const char ids[] = "init Fabian\0" "3";
    routable_workspace *workspace = NULL;
    routable_plan *plan = NULL;
    routable_error *error = NULL;
    size_t index;
    char *longer;
    (void)state;
    check_status("workspace", routable_workspace_new(&workspace, &error), ROUTABLE_OK, error);
    check_status("plan", routable_plan_new(social, "user.status", "read", &plan, &error), ROUTABLE_OK, error);
    assert_string_equal(routable_workspace_url(workspace, plan, ids, sizeof ids - 1),
        "https://api.example.com/v1/users/init%20Fabian/statuses/3");
    assert_null(routable_workspace_url(workspace, plan, ids, 11)); /* one id */
    assert_null(routable_workspace_url(workspace, plan, "a\0b\0c", 5));
    assert_null(routable_workspace_url(workspace, plan, "a\0..", 4));
    assert_null(routable_workspace_url(workspace, plan, "a\0", 2));
    assert_null(routable_workspace_url(workspace, plan, NULL, 0));
    assert_null(routable_workspace_url(workspace, plan, NULL, 3));
    assert_null(routable_workspace_url(NULL, plan, ids, 3));
    longer = (char *)malloc(100000);
    memset(longer, '%', 100000);
    memcpy(longer + 99998, "\0b", 2);
    assert_int_equal(strlen(routable_workspace_url(workspace, plan, longer, 100000)),
        strlen("https://api.example.com/v1/users//statuses/b") + 3 * 99998);
    free(longer);
    for (index = 0; index < sizeof paths / sizeof *paths; index++) {
        routable_match found;
        char text[256] = "";
        const char *got = routable_workspace_match(workspace, social, "GET", paths[index], strlen(paths[index]), 0);
        if (match(paths[index], strlen(paths[index]), &found) == ROUTABLE_OK) {
            size_t capture, length = (size_t)snprintf(text, sizeof text, "%u %u %u %d", (unsigned)found.operation,
                (unsigned)found.capture_count, (unsigned)found.node, (int)found.slash);
            for (capture = 0; capture < found.capture_count; capture++)
                length += (size_t)snprintf(text + length, sizeof text - length, " %u %u %d %d",
                    (unsigned)found.captures[capture].offset, (unsigned)found.captures[capture].length,
                    (int)found.captures[capture].resource, (int)found.captures[capture].parameter);
        }
        assert_string_equal(got, text);
    }
    assert_null(routable_workspace_match(workspace, social, "LOCK", "/users", 6, 0));
    assert_null(routable_workspace_match(workspace, social, "GET", NULL, 6, 0));
    assert_null(routable_workspace_match(workspace, NULL, "GET", "/users", 6, 0));
    routable_plan_free(plan);
    routable_workspace_free(workspace);
    routable_workspace_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_allocation),
        cmocka_unit_test(long_methods),
        cmocka_unit_test(operations_that_share_a_path),
        cmocka_unit_test(bytes_at_the_edge_of_memory),
        cmocka_unit_test(hostile_paths_are_answered),
        cmocka_unit_test(queries_end_long_paths),
        cmocka_unit_test(workspace_gives_the_same),
    };
    return cmocka_run_group_tests_name("match", tests, open_router, close_router);
}
