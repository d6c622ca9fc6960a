/* The Link header, and a body with the next page: a byte that selects the kind of pagination, the header, the body, and the URL's
 * query.  The next request stays at the same origin, is visible ASCII, and its value occurs in the input; items are JSON in their order. */
#include "../fuzz.h"

#include "routable_credentials.h"
#include "routable_jansson.h"
#include "routable_links.h"
#include "routable_pages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char header_document[] =
    "{\"routable\":1,\"base\":\"http://h.example\",\"operations\":{\"list\":{\"get\":\"/things\",\"query\":{\"p\":{},\"q\":{}}}}}";
static const char *const header_ways[] = {
    "{\"by\":\"link\",\"items\":\"/d\"}", "{\"by\":\"link\",\"at\":\"/n\",\"items\":\"/d\"}",
    "{\"by\":\"cursor\",\"at\":\"/n\",\"parameter\":\"p\",\"items\":\"/d\"}",
    "{\"by\":\"page\",\"parameter\":\"p\",\"items\":\"/d\"}", "{\"by\":\"offset\",\"parameter\":\"p\"}",
};
static const routable_status header_allowed[] = { ROUTABLE_ERR_RESPONSE, ROUTABLE_ERR_URL, ROUTABLE_ERR_LIMIT,
    ROUTABLE_ERR_ARGUMENT, ROUTABLE_OK };

/* Compares the elements of the array with those of a second JSON reader; each is a part of the body, in order. */
static void header_items(routable_pages *pages, routable_str body, const char *member, size_t most)
{
    json_t *const root = json_loadb(body.len ? body.ptr : "", body.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    json_t *const wanted = member ? json_object_get(root, member) : root;
    size_t count = 0, given = 0;
    routable_str item = { NULL, 0 };
    const char *behind = NULL;
    const routable_status counted = routable_pages_item_count(pages, &count, NULL);
    routable_status status;
    while ((status = routable_pages_item(pages, &item, NULL)) == ROUTABLE_OK) {
        EXPECT(item.len > 0 && item.len <= body.len, "items: expected a part of the body, got %zu of %zu bytes", item.len, body.len);
        EXPECT(behind == NULL || item.ptr > behind, "items: expected one behind the other");
        behind = item.ptr + item.len - 1;
        if (json_is_array(wanted)) {
            json_t *const value = json_loadb(item.ptr, item.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
            EXPECT(json_equal(value, json_array_get(wanted, given)), "items: expected element %zu, got %.*s", given, (int)item.len, item.ptr);
            json_decref(value);
        }
        given++;
    }
    if (counted == ROUTABLE_OK)
        EXPECT(status == ROUTABLE_IDLE && given == count, "items: expected %zu, got %zu and %s", count, given, routable_status_name(status));
    else
        EXPECT(status == counted && given == 0, "items: expected %s, got %s", routable_status_name(counted), routable_status_name(status));
    if (json_is_array(wanted) && counted == ROUTABLE_OK)
        EXPECT(count == (most && most < json_array_size(wanted) ? most : json_array_size(wanted)),
            "items: expected %zu, got %zu", json_array_size(wanted), count);
    json_decref(root);
}

/* The parsers of Link and of WWW-Authenticate without a client: their results are parts of the header, or not longer than it. */
static void header_parts(routable_str header)
{
    static const char *const schemes[] = { "bearer", "basic", "negotiate" };
    routable_str found = { NULL, 0 };
    size_t i;
    if (routable_link_find(header, "next", &found))
        EXPECT(found.ptr >= header.ptr && found.len < header.len && found.ptr + found.len < header.ptr + header.len, "link: expected a part of the header");
    for (i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        routable_string value = ROUTABLE_STRING_INIT;
        if (routable_challenge_find(header, schemes[i], i == 2 ? NULL : "realm", &value))
            EXPECT(value.len <= header.len, "challenge: expected at most the header, got %zu of %zu bytes", value.len, header.len);
        routable_string_free(&value);
    }
}

/* Follows a link of the response: visible ASCII, and no secret at another origin. */
static void header_follow(const routable_router *router, const routable_response *response)
{
    static const routable_status allowed[] = { ROUTABLE_ERR_RESPONSE, ROUTABLE_ERR_URL, ROUTABLE_ERR_LIMIT, ROUTABLE_ERR_ARGUMENT,
        ROUTABLE_ERR_DOCUMENT, ROUTABLE_ERR_VALUE, ROUTABLE_OK };
    static const routable_argument none = ROUTABLE_ARGUMENT_INIT;
    int way;
    for (way = 0; way < 3; way++) {
        routable_link link = ROUTABLE_LINK_INIT;
        routable_request *request = FUZZ_UNTOUCHED(routable_request);
        routable_error *error = NULL;
        routable_status status;
        link.response = response;
        link.relation = way == 0 ? "next" : NULL;
        link.pointer = way == 0 ? NULL : "/n";
        link.values = way == 2 ? &none : NULL;
        status = routable_router_follow(router, &link, &request, &error);
        fuzz_check_error("link", status, allowed, error, NULL);
        if (status == ROUTABLE_OK) {
            const routable_str url = routable_request_url(request);
            size_t i;
            for (i = 0; i < url.len; i++)
                EXPECT(url.ptr[i] > 0x20 && url.ptr[i] < 0x7F, "link: expected visible ASCII, got %s", url.ptr);
            routable_request_free(request);
        } else {
            EXPECT(request == FUZZ_UNTOUCHED(routable_request), "link: expected an untouched output");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static routable_router *kept;
    const routable_router *const router = fuzz_router(&kept, header_document);
    fuzz_input input = { (const char *)data, size };
    routable_pages_options options = ROUTABLE_PAGES_OPTIONS_INIT;
    const int choice = fuzz_byte(&input);
    routable_header header = { { "Link", 4 }, { NULL, 0 } };
    routable_str body;
    routable_request *request = NULL;
    routable_response *response = NULL;
    routable_pages *pages = NULL;
    const size_t way = (size_t)(choice & 63) % (sizeof header_ways / sizeof *header_ways);
    int round;
    options.pagination = routable_str_from(header_ways[way]);
    options.flags = choice & 64 ? ROUTABLE_PAGES_OTHER_ORIGINS : 0;
    options.max_items = choice & 128 ? 2 : 0;
    header.value = fuzz_field(&input);
    body = fuzz_rest(&input);
    header_parts(header.value);
    EXPECT(routable_request_new_json(router, "{\"operation\":\"list\",\"query\":{\"p\":\"3\",\"q\":\"&\"}}", ROUTABLE_NUL_TERMINATED, &request, NULL) == ROUTABLE_OK, "request");
    EXPECT(routable_request_set_header(request, "Authorization", routable_str_from("s"), NULL) == ROUTABLE_OK, "header");
    EXPECT(routable_pages_new(NULL, request, &options, &pages, NULL) == ROUTABLE_OK, "pages");
    routable_request_free(request);
    /* A header that HTTP does not allow is refused when the response is mapped. */
    if (routable_response_map(router, NULL, "list", 200, &header, 1, body, &response, NULL) == ROUTABLE_OK) {
        for (round = 0; round < 3; round++) {
            routable_request *given = FUZZ_UNTOUCHED(routable_request);
            routable_error *error = NULL;
            const routable_status status = routable_pages_follow(pages, response, &given, &error);
            fuzz_check_error("follow", status == ROUTABLE_IDLE ? ROUTABLE_OK : status, header_allowed, error, NULL);
            /* The first round is the first page. */
            if (round == 0)
                header_items(pages, body, way == 4 ? NULL : "d", options.max_items);
            if (status == ROUTABLE_OK) {
                const routable_str url = routable_request_url(given);
                const int is_home = strncmp(url.ptr, "http://h.example/", 17) == 0 || strcmp(url.ptr, "http://h.example") == 0;
                size_t i;
                for (i = 0; i < url.len; i++)
                    EXPECT(url.ptr[i] > 0x20 && url.ptr[i] < 0x7F, "follow: expected visible ASCII, got %s", url.ptr);
                if (!is_home && !(options.flags & ROUTABLE_PAGES_OTHER_ORIGINS))
                    EXPECT(strncasecmp(url.ptr, "http://h.example", 16) == 0 && strchr("/?:", url.ptr[16]),
                        "follow: expected a URL at home, got %s", url.ptr);
                if (strncasecmp(url.ptr, "http://h.example", 16) != 0)
                    EXPECT(routable_request_header_count(given) == 0, "follow: expected no secret at %s", url.ptr);
                routable_request_free(given);
            } else {
                EXPECT(given == FUZZ_UNTOUCHED(routable_request), "follow: expected an untouched output");
            }
        }
        header_follow(router, response);
        routable_response_free(response);
    }
    routable_pages_free(pages);
    return 0;
}
