/* Percent-encoding and joining bases: a base, two ids, a query value and an undeclared parameter, each any bytes.  The URL has the
 * same segments and items as for plain values, at the same positions, and they decode to the
 * given values.  libcurl's URL parser, which parses URLs of requests, must find the same host. */
#include "../fuzz.h"

#include <curl/curl.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char encoding_document[] =
    "{\"routable\":1,\"base\":\"http://h\",\"resources\":{"
    "\"bucket\":{\"path\":\"buckets\",\"can\":[\"read\"],\"has\":[\"record\"]},"
    "\"record\":{\"path\":\"records\",\"can\":[\"read\"],"
    "\"operations\":{\"read\":{\"query\":{\"q\":{},\"n\":{\"type\":\"number\"}}}}}}}";

enum { encoding_most = 64 };

/* The parts of a URL, still encoded. */
typedef struct encoding_parts {
    routable_str origin;
    routable_str segments[encoding_most], items[encoding_most];
    size_t segment_count, item_count;
} encoding_parts;

static size_t encoding_split(routable_str text, char separator, routable_str *parts)
{
    size_t count = 0, from = 0, i;
    for (i = 0; i <= text.len; i++)
        if (i == text.len || text.ptr[i] == separator) {
            if (count < encoding_most)
                parts[count] = (routable_str){ text.ptr + from, i - from };
            count++;
            from = i + 1;
        }
    return count;
}

static encoding_parts encoding_parts_of(routable_str url)
{
    encoding_parts parts;
    const char *const authority = strstr(url.ptr, "://") + 3;
    const size_t host_length = strcspn(authority, "/?");
    const char *const path = authority + host_length;
    const size_t path_length = strcspn(path, "?");
    memset(&parts, 0, sizeof parts);
    parts.origin = (routable_str){ url.ptr, (size_t)(path - url.ptr) };
    parts.segment_count = encoding_split((routable_str){ path, path_length }, '/', parts.segments);
    if (path[path_length] == '?')
        parts.item_count = encoding_split(routable_str_from(path + path_length + 1), '&', parts.items);
    return parts;
}

/* Checks that `encoded` decodes to `expected`, and contains no unescaped delimiter. */
static void encoding_check_decodes(const char *what, routable_str encoded, routable_str expected)
{
    size_t i, k = 0;
    for (i = 0; i < encoded.len; i++, k++) {
        unsigned byte = (unsigned char)encoded.ptr[i];
        if (byte == '%') {
            EXPECT(i + 2 < encoded.len && sscanf(encoded.ptr + i + 1, "%2x", &byte) == 1,
                "%s: expected two digits, got \"%.*s\"", what, (int)encoded.len, encoded.ptr);
            i += 2;
        } else {
            EXPECT(!strchr("/#[]@ +&=;", (int)byte) || (strchr("/@", (int)byte) && strcmp(what, "query") == 0),
                "%s: expected no bare separator, got \"%.*s\"", what, (int)encoded.len, encoded.ptr);
        }
        EXPECT(k < expected.len && byte == (unsigned char)expected.ptr[k], "%s: expected \"%.*s\", got \"%.*s\"", what,
            (int)expected.len, expected.ptr, (int)encoded.len, encoded.ptr);
    }
    EXPECT(k == expected.len, "%s: expected %zu bytes, got %zu: \"%.*s\"", what, expected.len, k, (int)encoded.len,
        encoded.ptr);
}

/* Checks that libcurl accepts the URL and finds the same host as in the plain one. */
static void encoding_check_curl(routable_str url, routable_str plain)
{
    CURLU *const one = curl_url(), *const other = curl_url();
    char *host = NULL, *expected = NULL, *user = NULL;
    EXPECT(curl_url_set(one, CURLUPART_URL, url.ptr, CURLU_PATH_AS_IS) == CURLUE_OK, "curl: expected that it takes \"%s\"",
        url.ptr);
    EXPECT(curl_url_set(other, CURLUPART_URL, plain.ptr, CURLU_PATH_AS_IS) == CURLUE_OK,
        "curl: expected that it takes \"%s\"", plain.ptr);
    curl_url_get(one, CURLUPART_HOST, &host, 0);
    curl_url_get(other, CURLUPART_HOST, &expected, 0);
    EXPECT(host && expected && strcmp(host, expected) == 0, "curl: expected the host %s, got %s", expected, host);
    EXPECT(curl_url_get(one, CURLUPART_USER, &user, 0) == CURLUE_NO_USER, "curl: expected no user in \"%s\"", url.ptr);
    curl_free(host);
    curl_free(expected);
    curl_free(user);
    curl_url_cleanup(one);
    curl_url_cleanup(other);
}

/* The same values through a plan, into a buffer of the exact size and into one that is one byte too small. */
static void encoding_check_plan(const routable_router *router, const routable_value *ids, const routable_value *query,
    routable_status expected, routable_str url)
{
    routable_plan *plan = NULL;
    routable_error *error = NULL;
    char *buffer;
    size_t length = 0;
    routable_status status;
    EXPECT(routable_plan_new(router, "bucket.record", "read", &plan, &error) == ROUTABLE_OK, "plan: expected one, got %s",
        routable_error_message(error).ptr);
    buffer = (char *)malloc(url.len + 1);
    status = routable_plan_write(plan, ids, 2, query, 1, buffer, url.len + 1, &length, &error);
    if (expected == ROUTABLE_OK) {
        EXPECT(status == ROUTABLE_OK, "plan: expected \"%s\", got %s: %s", url.ptr, routable_status_name(status),
            routable_error_message(error).ptr);
        EXPECT(length == url.len && memcmp(buffer, url.ptr, url.len + 1) == 0, "plan: expected \"%s\", got \"%s\"", url.ptr,
            buffer);
        routable_error_free(error);
        length = 0;
        status = routable_plan_write(plan, ids, 2, query, 1, buffer, url.len, &length, &error);
        EXPECT(status == ROUTABLE_ERR_BUFFER && length == url.len, "plan: expected buffer and %zu, got %s and %zu", url.len,
            routable_status_name(status), length);
    } else {
        EXPECT(status == expected, "plan: expected %s, got %s", routable_status_name(expected), routable_status_name(status));
    }
    EXPECT(status == ROUTABLE_OK || buffer[0] == '\0', "plan: expected the empty text with %s", routable_status_name(status));
    routable_error_free(error);
    free(buffer);
    routable_plan_free(plan);
}

static routable_request *encoding_build(const routable_router *router, const routable_value *ids, const routable_value *query,
    const routable_argument *parameters, routable_status *status, routable_error **error)
{
    const routable_argument arguments[] = { { NULL, ids[0] }, { NULL, ids[1] } };
    const routable_argument declared[] = { { "q", query[0] } };
    routable_call call = ROUTABLE_CALL_INIT;
    routable_request *request = FUZZ_UNTOUCHED(routable_request);
    call.route = "bucket.record";
    call.operation = "read";
    call.ids = arguments;
    call.id_count = 2;
    call.query = declared;
    call.query_count = 1;
    call.parameters = parameters;
    call.parameter_count = parameters ? 1 : 0;
    *status = routable_request_new(router, &call, &request, error);
    if (*status != ROUTABLE_OK)
        EXPECT(request == FUZZ_UNTOUCHED(routable_request), "encoding: expected an untouched output");
    return *status == ROUTABLE_OK ? request : NULL;
}

/* Checks that everything except the three values is equal to the plain URL. */
static void encoding_check_places(const encoding_parts *got, const encoding_parts *plain, const routable_value *ids,
    const routable_value *query)
{
    const size_t n = plain->segment_count, m = plain->item_count;
    size_t i;
    EXPECT(fuzz_same(got->origin, plain->origin), "origin: expected %.*s, got %.*s", (int)plain->origin.len,
        plain->origin.ptr, (int)got->origin.len, got->origin.ptr);
    EXPECT(got->segment_count == n && got->item_count == m, "expected %zu segments and %zu items, got %zu and %zu", n, m,
        got->segment_count, got->item_count);
    if (n > encoding_most || m > encoding_most || n < 4 || m < 1)
        return; /* a base with too many segments */
    for (i = 0; i < n; i++)
        if (i != n - 3 && i != n - 1)
            EXPECT(fuzz_same(got->segments[i], plain->segments[i]), "segment %zu: expected %.*s, got %.*s", i,
                (int)plain->segments[i].len, plain->segments[i].ptr, (int)got->segments[i].len, got->segments[i].ptr);
    for (i = 0; i + 1 < m; i++)
        EXPECT(fuzz_same(got->items[i], plain->items[i]), "item %zu: expected %.*s, got %.*s", i,
            (int)plain->items[i].len, plain->items[i].ptr, (int)got->items[i].len, got->items[i].ptr);
    encoding_check_decodes("id", got->segments[n - 3], ids[0].as.string);
    encoding_check_decodes("id", got->segments[n - 1], ids[1].as.string);
    EXPECT(got->items[m - 1].len >= 2 && memcmp(got->items[m - 1].ptr, "q=", 2) == 0, "item: expected q, got %.*s",
        (int)got->items[m - 1].len, got->items[m - 1].ptr);
    encoding_check_decodes("query", (routable_str){ got->items[m - 1].ptr + 2, got->items[m - 1].len - 2 },
        query[0].as.string);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const routable_status open_allowed[] = { ROUTABLE_ERR_URL, ROUTABLE_ERR_LIMIT, ROUTABLE_ERR_UNSUPPORTED,
        ROUTABLE_OK };
    static const routable_status build_allowed[] = { ROUTABLE_ERR_ID, ROUTABLE_ERR_VALUE, ROUTABLE_ERR_SHADOWED,
        ROUTABLE_ERR_PARAMETER, ROUTABLE_ERR_LIMIT, ROUTABLE_ERR_URL, ROUTABLE_OK };
    const routable_value plain_ids[] = { routable_value_string("one"), routable_value_string("two") };
    const routable_value plain_query[] = { routable_value_string("three") };
    fuzz_input input = { (const char *)data, size };
    char *const base = fuzz_name(&input);
    const routable_value ids[] = { routable_value_str(fuzz_field(&input)), routable_value_str(fuzz_field(&input)) };
    const routable_value query[] = { routable_value_str(fuzz_field(&input)) };
    char *const key = fuzz_name(&input);
    const routable_argument parameter = { key, routable_value_str(fuzz_rest(&input)) };
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_router *router = FUZZ_UNTOUCHED(routable_router);
    routable_request *plain, *request, *with_parameter;
    routable_error *error = NULL;
    routable_status status;

    options.base = base;
    status = routable_router_open(encoding_document, ROUTABLE_NUL_TERMINATED, &options, &router, &error);
    if (status != ROUTABLE_OK)
        EXPECT(router == FUZZ_UNTOUCHED(routable_router), "base: expected an untouched output");
    fuzz_check_error("base", status, open_allowed, error, NULL);
    if (status != ROUTABLE_OK)
        goto end;

    plain = encoding_build(router, plain_ids, plain_query, NULL, &status, &error);
    fuzz_check_error("plain", status, (const routable_status[]){ ROUTABLE_OK }, error, NULL);
    request = encoding_build(router, ids, query, NULL, &status, &error);
    fuzz_check_error("encoding", status, build_allowed, error, NULL);
    if (plain && *base == '/') { /* a base that is only a path makes paths */
        fuzz_check_visible("plain", routable_request_url(plain));
        EXPECT(routable_request_url(plain).ptr[0] == '/', "plain: expected a path, got \"%s\"", routable_request_url(plain).ptr);
        if (request)
            fuzz_check_visible("encoding", routable_request_url(request));
        routable_request_free(plain);
        routable_request_free(request);
        routable_router_free(router);
        goto end;
    }
    if (plain) {
        fuzz_check_url("plain", routable_request_url(plain));
        if (request) {
            const encoding_parts parts = encoding_parts_of(routable_request_url(request));
            const encoding_parts expected = encoding_parts_of(routable_request_url(plain));
            fuzz_check_url("encoding", routable_request_url(request));
            encoding_check_places(&parts, &expected, ids, query);
            encoding_check_curl(routable_request_url(request), routable_request_url(plain));
        }
        encoding_check_plan(router, ids, query, status, routable_request_url(request ? request : plain));
    }
    if (request) { /* an undeclared parameter adds exactly one item */
        const encoding_parts before = encoding_parts_of(routable_request_url(request));
        with_parameter = encoding_build(router, ids, query, &parameter, &status, &error);
        fuzz_check_error("parameter", status, build_allowed, error, NULL);
        if (with_parameter) {
            const encoding_parts after = encoding_parts_of(routable_request_url(with_parameter));
            fuzz_check_url("parameter", routable_request_url(with_parameter));
            EXPECT(after.segment_count == before.segment_count && after.item_count == before.item_count + 1,
                "parameter: expected one item more than in \"%s\", got \"%s\"", routable_request_url(request).ptr,
                routable_request_url(with_parameter).ptr);
            routable_request_free(with_parameter);
        }
    }
    routable_request_free(plain);
    routable_request_free(request);
    routable_router_free(router);
end:
    free(base);
    free(key);
    return 0;
}
