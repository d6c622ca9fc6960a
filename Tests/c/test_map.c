/* The printed router: the map, the table and the JSON of the sample description are equal to the golden files (docs/route-table.md). */
#include "support.h"

/* Prints the first line that differs, of both. */
static void check_golden(const char *path, routable_string got, int final_newline)
{
    size_t length, line = 1, i;
    char *const golden = read_file(path, &length);
    if (!final_newline && length && golden[length - 1] == '\n')
        golden[--length] = '\0'; /* the file ends in a newline, the string does not */
    for (i = 0; i < length && i < got.len && golden[i] == got.ptr[i]; i++)
        line += golden[i] == '\n';
    if (i < length || i < got.len) {
        size_t from = i, expected_end = i, got_end = i;
        while (from && golden[from - 1] != '\n' && i - from < 120)
            from--;
        while (expected_end < length && golden[expected_end] != '\n' && expected_end - i < 120)
            expected_end++;
        while (got_end < got.len && got.ptr[got_end] != '\n' && got_end - i < 120)
            got_end++;
        fail_msg("%s, line %zu, byte %zu\nexpected: %.*s\ngot:      %.*s", path, line, i, (int)(expected_end - from),
            golden + from, (int)(got_end - from), got.ptr + from);
    }
    free(golden);
}

static void map_of_social(void **state)
{
    routable_router *const router = open_social();
    routable_string text = { NULL, 0 };
    (void)state;
    assert_int_equal(routable_router_map(router, &text, NULL), ROUTABLE_OK);
    check_golden("Tests/golden/social.map.txt", text, 1);
    routable_string_free(&text);
    routable_router_free(router);
}

static void R22_routes_of_social(void **state)
{
    routable_router *const router = open_social();
    routable_string text = { NULL, 0 };
    (void)state;
    assert_int_equal(routable_router_routes(router, &text, NULL), ROUTABLE_OK);
    check_golden("Tests/golden/social.routes.txt", text, 1);
    routable_string_free(&text);
    routable_router_free(router);
}

static void routes_of_social_as_json(void **state)
{
    routable_router *const router = open_social();
    routable_string text = { NULL, 0 };
    (void)state;
    assert_int_equal(routable_router_routes_json(router, &text, NULL), ROUTABLE_OK);
    check_golden("Tests/golden/social.routes.json", text, 0);
    routable_string_free(&text);
    routable_router_free(router);
}

static void check_table(const char *document, const char *map, const char *table)
{
    routable_router *const router = open_text(document);
    routable_string text = { NULL, 0 };
    assert_int_equal(routable_router_map(router, &text, NULL), ROUTABLE_OK);
    assert_string_equal(text.ptr, map);
    routable_string_free(&text);
    assert_int_equal(routable_router_routes(router, &text, NULL), ROUTABLE_OK);
    assert_string_equal(text.ptr, table);
    routable_string_free(&text);
    routable_router_free(router);
}

static void nothing(void **state)
{
    (void)state;
    check_table("{\"routable\":1}", "", "Prefix  Verb  URI Pattern  Resource#Operation\n");
}

static void a_resource_in_itself(void **state)
{
    (void)state;
    check_table("{\"routable\":1,\"resources\":{\"a\":{\"path\":\"as\",\"can\":[\"read\"],\"has\":[\"a\"]}}}",
        "a  read  has a\n",
        "Prefix  Verb  URI Pattern   Resource#Operation\n"
        "     a  GET   /as/:id       a#read\n"
        "              /as/:a_id/as  ... -> a\n");
}

static void nested_shallow_extra_and_templates(void **state)
{
    (void)state;
    check_table(
        "{\"routable\":1,\"resources\":{"
        "\"news\":{\"path\":\"news\",\"can\":[\"read\",\"list\"],\"has\":[\"note\",\"tag\"],"
        "\"member\":{\"star\":{\"put\":\"star\"}},\"collection\":{\"fresh\":{\"get\":\"fresh\"}}},"
        "\"note\":{\"path\":\"all/notes\",\"can\":[\"list\"],\"nested\":true},"
        "\"tag\":{\"path\":\"tags\",\"can\":[\"list\",\"delete\"],\"shallow\":true}},"
        "\"operations\":{\"file\":{\"get\":\"/files/{path*}\"},"
        "\"compare\":{\"method\":\"PURGE\",\"path\":\"/{base}...{head}.json\"}}}",
        "news  list read fresh star  has note tag\n"
        "note  list\n"
        "tag   list delete\n",
        "          Prefix  Verb    URI Pattern               Resource#Operation\n"
        "      news_index  GET     /news                     news#list\n"
        "fresh_news_index  GET     /news/fresh               news#fresh\n"
        "            news  GET     /news/:id                 news#read\n"
        "       star_news  PUT     /news/:id/star            news#star\n"
        "            tags  GET     /tags                     tag#list\n"
        "             tag  DELETE  /tags/:id                 tag#delete\n"
        "  news_all_notes  GET     /news/:news_id/all/notes  note#list\n"
        "       news_tags  GET     /news/:news_id/tags       tag#list\n"
        "            file  GET     /files/*path              file\n"
        "         compare  PURGE   /:base...:head.json       compare\n");
}

/* Twenty resources that all nest in each other: each of the 400 edges is printed once, and the map ends. */
static void a_dense_cycle_ends(void **state)
{
    char document[16384];
    size_t length = (size_t)sprintf(document, "{\"routable\":1,\"resources\":{"), i, j, rows = 0, repeats = 0;
    routable_router *router;
    routable_string text = { NULL, 0 };
    json_t *routes, *row;
    (void)state;
    for (i = 0; i < 20; i++) {
        length += (size_t)sprintf(document + length, "%s\"r%zu\":{\"path\":\"p%zu\",\"can\":[\"read\"],\"has\":[", i ? "," : "", i, i);
        for (j = 0; j < 20; j++)
            length += (size_t)sprintf(document + length, "%s\"r%zu\"", j ? "," : "", j);
        length += (size_t)sprintf(document + length, "]}");
    }
    strcpy(document + length, "}}");
    router = open_text(document);
    assert_int_equal(routable_router_routes_json(router, &text, NULL), ROUTABLE_OK);
    routes = json_loadb(text.ptr, text.len, 0, NULL);
    assert_non_null(routes);
    json_array_foreach(routes, i, row) {
        rows++;
        repeats += json_is_true(json_object_get(row, "repeats"));
    }
    check_size("rows: 20 roots and 400 edges", rows, 420);
    assert_true(repeats >= 20);
    json_decref(routes);
    routable_string_free(&text);
    routable_router_free(router);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(map_of_social),
        cmocka_unit_test(R22_routes_of_social),
        cmocka_unit_test(routes_of_social_as_json),
        cmocka_unit_test(nothing),
        cmocka_unit_test(a_resource_in_itself),
        cmocka_unit_test(nested_shallow_extra_and_templates),
        cmocka_unit_test(a_dense_cycle_ends),
    };
    return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
