/* x-routable-resource and x-routable-name rename, merge, move and hide derived resources (docs/openapi.md, "Changing the graph"). */
#include "support.h"

#define HEAD "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"Shop\",\"version\":\"1\"},\"servers\":[{\"url\":\"https://h\"}],\"paths\":{"
#define OPERATION(id, keys) "{\"operationId\":\"" id "\"" keys ",\"responses\":{\"200\":{\"description\":\"\"}}}"

static const char document[] = HEAD
    /* Two spellings of one resource; all other resources are below the second one. */
    "\"/v1/pets\":{\"get\":" OPERATION("listPets", "") "},"
    "\"/v1/pet/{petId}\":{\"x-routable-resource\":\"pets\",\"get\":" OPERATION("getPet", "") "},"
    "\"/v1/pet/{petId}/photos\":{\"get\":" OPERATION("listPhotos", "") ",\"post\":" OPERATION("addPhoto", "") "},"
    "\"/v1/pet/{petId}/photos/{photoId}\":{\"x-routable-resource\":\"pictures\",\"get\":" OPERATION("getPhoto", "") "},"
    /* Operations with other names, and an operation of another resource. */
    "\"/v1/pet/{petId}/uploadImage\":{\"post\":" OPERATION("uploadFile", ",\"x-routable-name\":\"upload\"") "},"
    "\"/v1/find-by-tags\":{\"get\":" OPERATION("findByTags", ",\"x-routable-resource\":\"pets\",\"x-routable-name\":\"find\"") "},"
    "\"/v1/adopt/{petId}\":{\"post\":" OPERATION("adopt", ",\"x-routable-resource\":\"pets\"") "},"
    "\"/v1/pet-photo/{petId}/{photoId}\":{\"delete\":" OPERATION("dropPhoto",
        ",\"x-routable-resource\":\"pets.pictures\",\"x-routable-name\":\"delete\"") "},"
    /* Hidden resources. */
    "\"/v1/internal\":{\"x-routable-resource\":false,\"get\":" OPERATION("internal", "") "},"
    "\"/v1/health\":{\"get\":" OPERATION("health", ",\"x-routable-resource\":false") "},"
    /* Keys that have no effect. */
    "\"/v1/lost\":{\"get\":" OPERATION("lost", ",\"x-routable-resource\":\"pest\"") "},"
    "\"/v1/far/{a}/{b}\":{\"get\":" OPERATION("far", ",\"x-routable-resource\":\"pets\"") "},"
    "\"/v1/pet/{petId}/again\":{\"post\":" OPERATION("again", ",\"x-routable-name\":\"upload\"") "}"
    "}}";

static void map(void **state)
{
    routable_router *const router = open_text(document);
    routable_string text = { NULL, 0 };
    routable_str got;
    (void)state;
    assert_int_equal(routable_router_map(router, &text, NULL), ROUTABLE_OK);
    got = (routable_str){ text.ptr, text.len };
    check_text("map", got,
        "pets           list read find upload again adopt  has pictures\n"
        "pets.pictures  list read create delete\n");
    routable_string_free(&text);
    routable_router_free(router);
}

static void walks(void **state)
{
    const struct {
        const char *route, *operation, *name, *url;
        const char *const *ids;
    } cases[] = {
        { "pets", "list", "listPets", "https://h/v1/pets", NO_IDS },
        { "pets", "read", "getPet", "https://h/v1/pet/7", IDS("7") },
        { "pets", "upload", "uploadFile", "https://h/v1/pet/7/uploadImage", IDS("7") },
        { "pets", "find", "findByTags", "https://h/v1/find-by-tags", NO_IDS },
        { "pets", "adopt", "adopt", "https://h/v1/adopt/7", IDS("7") },
        { "pets.pictures", "create", "addPhoto", "https://h/v1/pet/7/photos", IDS("7") },
        { "pets.pictures", "read", "getPhoto", "https://h/v1/pet/7/photos/8", IDS("7", "8") },
        { "pets.pictures", "delete", "dropPhoto", "https://h/v1/pet-photo/7/8", IDS("7", "8") },
    };
    routable_router *const router = open_text(document);
    size_t i;
    (void)state;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *const walk = call_text(cases[i].route, cases[i].operation, cases[i].ids);
        char *const named = call_text(NULL, cases[i].name, cases[i].ids);
        routable_request *const by_walk = build(router, walk), *const by_name = build(router, named);
        check_text(walk, routable_request_url(by_walk), cases[i].url);
        check_text(named, routable_request_url(by_name), cases[i].url);
        routable_request_free(by_walk);
        routable_request_free(by_name);
        free(walk);
        free(named);
    }
    assert_null(routable_router_resource_operation(router, "internal"));
    assert_null(routable_router_resource_operation(router, "health"));
    assert_null(routable_router_resource_operation(router, "lost"));
    assert_null(routable_router_resource_operation(router, "far"));
    routable_router_free(router);
}

#define PATH(path, item) HEAD "\"" path "\":{" item "}}}"
#define GET(keys) "\"get\":" OPERATION("a", keys)

static void refusals(void **state)
{
    const struct {
        const char *document, *pointer, *part;
    } cases[] = {
        { PATH("/a", "\"x-routable-resource\":\"a.b\"," GET("")), "/paths/~1a/x-routable-resource",
            "\"a.b\" is not a name of a resource: letters, digits, \"-\", \"_\" and \"~\" are allowed" },
        { PATH("/a", "\"x-routable-resource\":\"\"," GET("")), "/paths/~1a/x-routable-resource", "\"\" is not a name of a resource" },
        { PATH("/a", "\"x-routable-resource\":true," GET("")), "/paths/~1a/x-routable-resource",
            "\"x-routable-resource\" must be the name of a resource, or false, not" },
        { PATH("/a", "\"x-routable-resource\":{\"name\":\"b\"}," GET("")), "/paths/~1a/x-routable-resource", "or false, not an object" },
        { PATH("/{a}", "\"x-routable-resource\":\"b\"," GET("")), "/paths/~1{a}/x-routable-resource", "it has no literal segment" },
        { PATH("/a/{b}@{c}", "\"x-routable-resource\":\"b\"," GET("")), "/paths/~1a~1{b}@{c}/x-routable-resource",
            "the path has no resource: a segment of the path consists of a parameter and other text" },
        { PATH("/a", "\"x-routable-resource\":\"b\"," GET("") "},\"/a/{id}\":{\"x-routable-resource\":\"c\"," GET("")),
            "/paths/~1a~1{id}/x-routable-resource", "another path names this resource \"b\"; a resource has one name" },
        { PATH("/a", "\"x-routable-name\":\"b\"," GET("")), "/paths/~1a/x-routable-name", "a path has \"x-routable-resource\"" },
        { PATH("/a", GET(",\"x-routable-name\":\"a b\"")), "/paths/~1a/get/x-routable-name", "\"a b\" is not a name of an operation" },
        { PATH("/a", GET(",\"x-routable-name\":false")), "/paths/~1a/get/x-routable-name", "\"x-routable-name\" must be a string" },
        { PATH("/a", GET(",\"x-routable-name\":\"create\"")), "/paths/~1a/get/x-routable-name",
            "\"create\" is the name of a POST, and the operation is a GET" },
        { PATH("/a", GET(",\"x-routable-resource\":7")), "/paths/~1a/get/x-routable-resource", "must be the route of a resource, or false" },
        { PATH("/a", GET(",\"x-routable-resource\":\"b..c\"")), "/paths/~1a/get/x-routable-resource", "\"\" is not a name of a resource" },
        { PATH("/a", GET(",\"x-routable-resource\":false,\"x-routable-name\":\"b\"")), "/paths/~1a/get/x-routable-name",
            "an operation that belongs to no resource has its operationId as its name" },
        { PATH("/a", GET(",\"x-routable-nam\":\"b\"")), "/paths/~1a/get/x-routable-nam", "did you mean \"x-routable-name\"?" },
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        routable_router *router = NULL;
        routable_error *error = NULL;
        const routable_status status = routable_router_open(
            cases[i].document, strlen(cases[i].document), NULL, &router, &error);
        if (status != ROUTABLE_ERR_DOCUMENT) fail_msg("%s: status %d, expected %d", cases[i].document, status, ROUTABLE_ERR_DOCUMENT);
        check_contains(cases[i].document, routable_error_message(error), cases[i].part);
        check_text(cases[i].document, routable_error_pointer(error), cases[i].pointer);
        routable_error_free(error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(map),
        cmocka_unit_test(walks),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("graph keys", tests, NULL, NULL);
}
