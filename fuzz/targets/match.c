/* Matching: a method, flags and a path of any bytes, with a description that has every kind of segment. Captures are ranges
 * of the path; without flags, the URL with the captured values matches the same operation. */
#include "../fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char match_document[] =
    "{\"routable\":1,\"base\":\"http://h/v1\",\"resources\":{"
    "\"user\":{\"path\":\"users\",\"id\":\"name\",\"can\":[\"list\",\"read\",\"create\",\"update\",\"delete\"],\"has\":[\"post\"],"
    "\"collection\":{\"new\":{\"get\":\"new\"}}},"
    "\"post\":{\"path\":\"posts\",\"id\":{\"name\":\"n\",\"type\":\"integer\"},\"can\":[\"list\",\"read\"],\"has\":[\"user\"],"
    "\"member\":{\"star\":{\"put\":\"star\"}}}},"
    "\"operations\":{\"file\":{\"get\":\"/files/{name}.json\"},\"pair\":{\"get\":\"/pairs/{a}-{b}\"},"
    "\"span\":{\"get\":\"/spans/{base}...{head}\"},\"rest\":{\"get\":\"/rest/{path*}\"},\"all\":{\"post\":\"/{path*}\"},"
    "\"uuid\":{\"get\":\"/ids/{u}\",\"ids\":{\"u\":{\"format\":\"uuid\"}}},\"id\":{\"get\":\"/ids/{x}\"},"
    "\"root\":{\"get\":\"/\"},\"braces\":{\"get\":\"/{{x}}/{y}\"}}}";

/* A workspace writes the same URL for the same strings; `url` is NULL if they were refused, or the buffer was too small. */
static void match_scratch(const routable_plan *plan, const routable_string *values, size_t count, const char *url)
{
    routable_workspace *scratch = NULL;
    char joined[4096];
    size_t i, length = 0;
    const char *got;
    for (i = 0; i < count; i++) {
        if (length + values[i].len + 1 > sizeof joined || memchr(values[i].ptr, 0, values[i].len))
            return;
        if (i)
            joined[length++] = 0;
        memcpy(joined + length, values[i].ptr, values[i].len);
        length += values[i].len;
    }
    EXPECT(routable_workspace_new(&scratch, NULL) == ROUTABLE_OK, "match: expected a scratch");
    got = routable_workspace_url(scratch, plan, joined, length);
    EXPECT(!url || (got && strcmp(got, url) == 0), "match: expected \"%s\" from a scratch, got \"%s\"", url, got ? got : "NULL");
    routable_workspace_free(scratch);
}

static void match_check(
    const routable_router *router, const routable_match *match, routable_str path, uint32_t flags)
{
    const routable_operation *const operation = routable_match_operation(router, match);
    routable_string route = { NULL, 0 }, values[ROUTABLE_MAX_CAPTURES];
    routable_value ids[ROUTABLE_MAX_CAPTURES];
    routable_plan *plan = NULL;
    char url[8192];
    size_t i, length = 0;
    routable_status status;
    EXPECT(operation, "match: expected an operation, got NULL");
    EXPECT(match->capture_count <= ROUTABLE_MAX_CAPTURES, "match: expected at most %d captures, got %u",
        ROUTABLE_MAX_CAPTURES, (unsigned)match->capture_count);
    memset(values, 0, sizeof values);
    for (i = 0; i < match->capture_count; i++) {
        const routable_capture *const capture = &match->captures[i];
        EXPECT(capture->offset <= path.len && capture->length <= path.len - capture->offset,
            "match: expected capture %zu inside of %zu bytes, got %u + %u", i, path.len, (unsigned)capture->offset,
            (unsigned)capture->length);
        EXPECT(routable_match_parameter(router, match, i), "match: expected parameter %zu", i);
        EXPECT(routable_match_value(match, path, i, &values[i]) == ROUTABLE_OK, "match: expected value %zu", i);
        ids[i] = routable_value_str((routable_str){ values[i].ptr, values[i].len });
    }
    EXPECT(routable_match_route(router, match, &route) == ROUTABLE_OK, "match: expected a route");
    status = routable_plan_new(router, route.len ? route.ptr : NULL, routable_operation_name(operation).ptr, &plan, NULL);
    EXPECT(status == ROUTABLE_OK, "match: expected a plan of %s %s, got %s", route.ptr,
        routable_operation_name(operation).ptr, routable_status_name(status));
    status = routable_plan_write(plan, ids, match->capture_count, NULL, 0, url, sizeof url, &length, NULL);
    if (status == ROUTABLE_OK && flags == 0) {
        routable_match again;
        const routable_str method = routable_operation_method(operation);
        status = routable_router_match(router, method.ptr, routable_str_from_bytes(url, length), 0, &again);
        EXPECT(status == ROUTABLE_OK && again.operation == match->operation,
            "match: expected that \"%s\" from \"%.*s\" matches %s, got %s", url, (int)path.len, path.ptr,
            routable_operation_name(operation).ptr, routable_status_name(status));
    } else {
        EXPECT(status == ROUTABLE_OK || status == ROUTABLE_ERR_VALUE || status == ROUTABLE_ERR_BUFFER ||
                status == ROUTABLE_ERR_SHADOWED,
            "match: expected a URL of what was matched in \"%.*s\", got %s", (int)path.len, path.ptr,
            routable_status_name(status));
    }
    match_scratch(plan, values, match->capture_count, status == ROUTABLE_OK ? url : NULL);
    routable_plan_free(plan);
    routable_string_free(&route);
    for (i = 0; i < match->capture_count; i++)
        routable_string_free(&values[i]);
}

/* A byte of flags, a method (empty: any), and the path. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static routable_router *kept;
    const routable_router *const router = fuzz_router(&kept, match_document);
    fuzz_input input = { (const char *)data, size };
    const uint32_t flags = fuzz_byte(&input) & 31;
    char *const method = fuzz_name(&input);
    const routable_str path = fuzz_rest(&input);
    routable_match match;
    /* A copy of exactly this size, so that a read out of bounds is detected. */
    char *const exact = (char *)malloc(path.len ? path.len : 1);
    routable_status status;
    memset(&match, 0x5A, sizeof match);
    memcpy(exact, path.ptr, path.len);
    status = routable_router_match(router, *method ? method : NULL, routable_str_from_bytes(exact, path.len), flags, &match);
    EXPECT(status == ROUTABLE_OK || status == ROUTABLE_NO_MATCH || status == ROUTABLE_METHOD_NOT_ALLOWED,
        "match: expected an outcome, got %s", routable_status_name(status));
    if (status == ROUTABLE_NO_MATCH)
        EXPECT(match.node == 0, "match: expected node 0 without a match, got %u", (unsigned)match.node);
    else
        EXPECT(routable_match_method_count(router, &match) > 0, "match: expected the methods of the node");
    {
        routable_workspace *scratch = NULL;
        const char *found;
        EXPECT(routable_workspace_new(&scratch, NULL) == ROUTABLE_OK, "match: expected a scratch");
        found = routable_workspace_match(scratch, router, *method ? method : NULL, exact, path.len, flags);
        EXPECT((found && *found) == (status == ROUTABLE_OK) && (found == NULL) == (status == ROUTABLE_METHOD_NOT_ALLOWED),
            "match: expected of a scratch what the match says: %s, got \"%s\"", routable_status_name(status),
            found ? found : "NULL");
        routable_workspace_free(scratch);
    }
    if (status == ROUTABLE_OK)
        match_check(router, &match, (routable_str){ exact, path.len }, flags);
    free(exact);
    free(method);
    return 0;
}
