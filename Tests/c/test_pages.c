/* Pages of a service with every kind of pagination (Tests/service/pages_service.py), and the rules of a description for
 * performing. */
#include "support.h"

#include <routable_pages.h>

static service pages_service;
static routable_router *router;
static routable_client *client;

static const char document[] =
    "{\"routable\":1,\"auth\":{\"bearer\":{\"scheme\":\"bearer\"},\"token\":{\"scheme\":\"key\",\"in\":\"query\",\"name\":\"token\"}},"
    "\"operations\":{"
    "\"link\":{\"get\":\"/link\",\"query\":{\"key\":{},\"per_page\":{\"type\":\"integer\",\"maximum\":100}},"
    "\"pagination\":{\"by\":\"link\",\"size\":\"per_page\"},\"auth\":[\"bearer\",[]]},"
    "\"in_body\":{\"get\":\"/link-in-body\",\"pagination\":{\"by\":\"link\",\"at\":\"/next\",\"items\":\"/results\"}},"
    "\"cursor\":{\"get\":\"/cursor\",\"query\":{\"key\":{},\"cursor\":{}},"
    "\"pagination\":{\"by\":\"cursor\",\"at\":\"/meta/next\",\"parameter\":\"cursor\",\"items\":\"/data\"}},"
    "\"numbers\":{\"get\":\"/numbers\",\"query\":{\"cursor\":{}},"
    "\"pagination\":{\"by\":\"cursor\",\"at\":\"/meta/next\",\"parameter\":\"cursor\",\"items\":\"/data\"}},"
    "\"left_out\":{\"get\":\"/left-out\",\"query\":{\"cursor\":{}},"
    "\"pagination\":{\"by\":\"cursor\",\"at\":\"/next\",\"parameter\":\"cursor\",\"items\":\"/data\"}},"
    "\"page\":{\"get\":\"/page\",\"query\":{\"page\":{\"type\":\"integer\"},\"per_page\":{}},"
    "\"pagination\":{\"by\":\"page\",\"parameter\":\"page\",\"size\":\"per_page\"}},"
    "\"from_0\":{\"get\":\"/page-from-0\",\"query\":{\"page\":{}},\"pagination\":{\"by\":\"page\",\"parameter\":\"page\",\"start\":0}},"
    "\"offset\":{\"get\":\"/offset\",\"query\":{\"limit\":{},\"offset\":{}},"
    "\"pagination\":{\"by\":\"offset\",\"parameter\":\"offset\",\"size\":\"limit\",\"items\":\"/items\"}},"
    "\"links\":{\"get\":\"/links\",\"query\":{\"value\":{}},\"pagination\":{\"by\":\"link\"}},"
    "\"body\":{\"get\":\"/body\",\"query\":{\"value\":{},\"page\":{}},\"pagination\":{\"by\":\"page\",\"parameter\":\"page\",\"items\":\"/a\"}},"
    "\"stuck\":{\"get\":\"/stuck\",\"query\":{\"cursor\":{}},"
    "\"pagination\":{\"by\":\"cursor\",\"at\":\"/meta/next\",\"parameter\":\"cursor\",\"items\":\"/data\"}},"
    "\"circle\":{\"get\":\"/circle\",\"pagination\":{\"by\":\"link\"}},"
    "\"endless\":{\"get\":\"/endless\",\"pagination\":{\"by\":\"link\"}},"
    "\"elsewhere\":{\"get\":\"/elsewhere\",\"query\":{\"key\":{}},\"pagination\":{\"by\":\"link\"},\"auth\":\"bearer\"},"
    "\"moved\":{\"get\":\"/moved\",\"query\":{\"key\":{}},\"pagination\":{\"by\":\"link\"},\"auth\":\"bearer\"},"
    "\"flaky\":{\"get\":\"/flaky/{key}\",\"pagination\":{\"by\":\"link\"}},"
    "\"none\":{\"get\":\"/none\"},"
    "\"seen\":{\"get\":\"/seen/{key}\"},"
    "\"order\":{\"post\":\"/orders/{key}/{fails}\",\"idempotency\":true,\"retry\":{\"times\":3,\"delay\":0.01}},"
    "\"once\":{\"post\":\"/once/{key}/{fails}\",\"idempotency\":{\"header\":\"X-Once\"},\"retry\":{\"times\":3,\"delay\":0.01}},"
    "\"plain\":{\"post\":\"/plain/{key}/{fails}\",\"retry\":{\"times\":3,\"delay\":0.01}}}}";

static int start(void **state)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
    routable_error *error = NULL;
    (void)state;
    service_start(&pages_service, "Tests/service/pages_service.py");
    options.base = pages_service.base;
    check_status("document", routable_router_open(document, ROUTABLE_NUL_TERMINATED, &options, &router, &error), ROUTABLE_OK, error);
    assert_int_equal(routable_client_new(NULL, &client, NULL), ROUTABLE_OK);
    credential.scheme = "bearer";
    credential.token = routable_str_from("secret");
    return routable_client_set_credential(client, &credential, NULL) != ROUTABLE_OK;
}

static int stop(void **state)
{
    (void)state;
    routable_client_free(client);
    routable_router_free(router);
    service_stop(&pages_service);
    return 0;
}

static routable_pages *pages_of(const char *call, const routable_pages_options *options)
{
    routable_request *const request = build(router, call);
    routable_pages *pages = NULL;
    routable_error *error = NULL;
    check_status(call, routable_pages_new(client, request, options, &pages, &error), ROUTABLE_OK, error);
    routable_request_free(request);
    return pages;
}

/* The ids of all items, "1 2 | 3 4 |", and the status at the end of the pages. */
static routable_status read_pages(routable_pages *pages, char *text, routable_error **error)
{
    routable_status status;
    char *end = text;
    *end = 0;
    while ((status = routable_pages_next(pages, NULL, NULL, error)) == ROUTABLE_OK) {
        routable_str item;
        size_t count = 0, given = 0;
        assert_int_equal(routable_pages_item_count(pages, &count, NULL), ROUTABLE_OK);
        for (; routable_pages_item(pages, &item, NULL) == ROUTABLE_OK; given++) {
            int id = -1;
            assert_true(item.len > 2 && item.ptr[0] == '{' && item.ptr[item.len - 1] == '}');
            sscanf(item.ptr, "{\"id\": %d", &id);
            end += sprintf(end, "%d ", id);
        }
        assert_int_equal(given, count);
        end += sprintf(end, "| ");
    }
    return status;
}

static void check_pages(const char *call, const routable_pages_options *options, const char *expected)
{
    char text[512];
    routable_error *error = NULL;
    routable_pages *const pages = pages_of(call, options);
    const routable_status status = read_pages(pages, text, &error);
    check_status(call, status, ROUTABLE_IDLE, error);
    if (strcmp(text, expected))
        fail_msg("%s: got %s, expected %s", call, text, expected);
    /* further calls return the same */
    assert_int_equal(routable_pages_next(pages, NULL, NULL, NULL), ROUTABLE_IDLE);
    routable_pages_free(pages);
}

static void all_ways(void **state)
{
    static const char *const calls[] = {
        "{\"operation\":\"link\"}", "{\"operation\":\"in_body\"}", "{\"operation\":\"cursor\"}", "{\"operation\":\"numbers\"}",
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof calls / sizeof *calls; i++)
        check_pages(calls[i], NULL, "1 2 | 3 4 | 5 6 | 7 | ");
    /* no page states that it is the last one, so the pages end at an empty one */
    check_pages("{\"operation\":\"page\"}", NULL, "1 2 | 3 4 | 5 6 | 7 | | ");
    check_pages("{\"operation\":\"page\",\"query\":{\"page\":3}}", NULL, "5 6 | 7 | | ");
    check_pages("{\"operation\":\"from_0\"}", NULL, "1 2 | 3 4 | 5 6 | 7 | | ");
    check_pages("{\"operation\":\"offset\",\"query\":{\"limit\":3}}", NULL, "1 2 3 | 4 5 6 | 7 | | ");
    check_pages("{\"operation\":\"offset\",\"query\":{\"offset\":5}}", NULL, "6 7 | | ");
    /* the service returns fewer items than requested: none is omitted */
    check_pages("{\"operation\":\"offset\",\"query\":{\"limit\":1000}}", NULL, "1 2 3 | 4 5 6 | 7 | | ");
    check_pages("{\"operation\":\"left_out\"}", NULL, "| | | 7 | ");
}

static void bounds(void **state)
{
    routable_pages_options options = ROUTABLE_PAGES_OPTIONS_INIT;
    routable_error *error = NULL;
    routable_pages *pages;
    char text[512];
    (void)state;
    options.max_pages = 2;
    check_pages("{\"operation\":\"link\"}", &options, "1 2 | 3 4 | ");
    options.max_pages = 0;
    options.max_items = 3;
    check_pages("{\"operation\":\"cursor\"}", &options, "1 2 | 3 | ");
    options.max_items = 4;
    check_pages("{\"operation\":\"page\"}", &options, "1 2 | 3 4 | ");
    options.max_items = options.max_pages = SIZE_MAX;
    check_pages("{\"operation\":\"page\"}", &options, "1 2 | 3 4 | 5 6 | 7 | | ");
    options.max_items = options.max_pages = 0;
    options.page_size = 3;
    check_pages("{\"operation\":\"offset\"}", &options, "1 2 3 | 4 5 6 | 7 | | ");
    options.max_pages = 40;
    options.page_size = 0;
    pages = pages_of("{\"operation\":\"endless\"}", &options);
    assert_int_equal(read_pages(pages, text, &error), ROUTABLE_IDLE);
    assert_int_equal(strlen(text), 40 * 4);
    routable_pages_free(pages);
}

static void check_no_pages(const char *call, const char *options_json, int64_t size, routable_status expected, const char *message)
{
    routable_pages_options options = ROUTABLE_PAGES_OPTIONS_INIT;
    routable_request *const request = build(router, call);
    routable_pages *pages = NULL;
    routable_error *error = NULL;
    options.page_size = size;
    if (options_json)
        options.pagination = routable_str_from(options_json);
    check_status(call, routable_pages_new(client, request, &options, &pages, &error), expected, error);
    check_contains(call, routable_error_message(error), message);
    assert_null(pages);
    routable_error_free(error);
    routable_request_free(request);
}

static void refused_at_once(void **state)
{
    (void)state;
    check_no_pages("{\"operation\":\"none\"}", NULL, 0, ROUTABLE_ERR_ARGUMENT, "the operation has no pagination");
    check_no_pages("{\"operation\":\"cursor\"}", NULL, 5, ROUTABLE_ERR_PARAMETER, "parameter that sets the page size");
    check_no_pages("{\"operation\":\"link\"}", NULL, 500, ROUTABLE_ERR_VALUE, "the page size (per_page) is not valid");
    check_no_pages("{\"operation\":\"link\"}", NULL, -1, ROUTABLE_ERR_ARGUMENT, "options.page_size must not be negative");
    check_no_pages("{\"operation\":\"link\"}", "{\"by\":\"lnk\"}", 0, ROUTABLE_ERR_DOCUMENT, "did you mean \"link\"?");
    check_no_pages("{\"operation\":\"link\"}", "{\"by\":", 0, ROUTABLE_ERR_JSON, "");
    check_no_pages("{\"operation\":\"link\"}", "{\"by\":\"page\",\"parameter\":\"per_pag\"}", 0, ROUTABLE_ERR_DOCUMENT, "did you mean \"per_page\"?");
    check_no_pages("{\"operation\":\"order\",\"ids\":[\"a\",\"0\"]}", "{\"by\":\"link\"}", 0, ROUTABLE_ERR_DOCUMENT, "only GET operations can have pages");
}

/* Reads pages until this status, and checks the message of the error. */
static void check_end(const char *call, const routable_pages_options *options, const char *expected, routable_status status, const char *message)
{
    char text[2048];
    routable_error *error = NULL;
    routable_response *response = NULL;
    routable_pages *const pages = pages_of(call, options);
    check_status(call, read_pages(pages, text, &error), status, error);
    check_contains(call, routable_error_message(error), message);
    if (strcmp(text, expected))
        fail_msg("%s: got %s, expected %s", call, text, expected);
    routable_error_free(error);
    /* further calls return the same, and write no output */
    assert_int_equal(routable_pages_next(pages, NULL, &response, &error), status);
    assert_null(response);
    assert_non_null(routable_error_response(error));
    routable_error_free(error);
    routable_pages_free(pages);
}

static void never_for_ever(void **state)
{
    (void)state;
    check_end("{\"operation\":\"stuck\"}", NULL, "1 2 3 4 5 6 7 | 1 2 3 4 5 6 7 | ", ROUTABLE_ERR_RESPONSE, "/stuck?cursor=same");
    /* the key in the URL is masked */
    check_end("{\"operation\":\"circle\"}", NULL,
        "1 2 3 4 5 6 7 | 1 2 3 4 5 6 7 | 1 2 3 4 5 6 7 | ", ROUTABLE_ERR_RESPONSE, "/circle?page=2&token=***");
}

static void hostile_links(void **state)
{
    static const struct {
        const char *link;
        routable_status status;
        const char *message;
    } rows[] = {
        { "</links?value=>; rel=prev", ROUTABLE_IDLE, NULL },
        { "</x>; rel=\"next\"; anchor=\"/other\"", ROUTABLE_IDLE, NULL },
        { "</x; rel=next", ROUTABLE_IDLE, NULL },
        { "<javascript:alert(1)>; rel=next", ROUTABLE_ERR_RESPONSE, "not an http or https URL" },
        { "<file:///etc/passwd>; rel=next", ROUTABLE_ERR_RESPONSE, "not an http or https URL" },
        { "<http://u:p@127.0.0.1/>; rel=next", ROUTABLE_ERR_RESPONSE, "credentials in a URL" },
        { "<https://evil.example/>; rel=next", ROUTABLE_ERR_URL, "https://evil.example" },
        { "<//evil.example/x>; rel=next", ROUTABLE_ERR_URL, "http://evil.example" },
        { "<http://127.0.0.1:1/x>; rel=next", ROUTABLE_ERR_URL, "http://127.0.0.1:1" },
        { "<http:///x>; rel=next", ROUTABLE_ERR_RESPONSE, "not an http or https URL" },
        { "</a b>; rel=next", ROUTABLE_ERR_RESPONSE, "not a URL" },
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        char call[256], escaped[160], *to = escaped;
        const char *from;
        for (from = rows[i].link; *from; from++) {
            if (*from == '"')
                *to++ = '\\';
            *to++ = *from;
        }
        *to = 0;
        snprintf(call, sizeof call, "{\"operation\":\"links\",\"query\":{\"value\":\"%s\"}}", escaped);
        if (rows[i].status == ROUTABLE_IDLE)
            check_pages(call, NULL, "| ");
        else
            check_end(call, NULL, "| ", rows[i].status, rows[i].message);
    }
}

static void bodies_that_are_no_pages(void **state)
{
    static const struct {
        const char *body, *expected;
        routable_status status;
        const char *message;
    } rows[] = {
        { "{\\\"a\\\":[]}", "| ", ROUTABLE_IDLE, NULL },
        { "{\\\"a\\\":null}", "| ", ROUTABLE_IDLE, NULL },
        { "", "| ", ROUTABLE_IDLE, NULL },
        { "{\\\"b\\\":[]}", "| ", ROUTABLE_ERR_RESPONSE, "no items at /a" },
        { "[]", "| ", ROUTABLE_ERR_RESPONSE, "no items at /a" },
    };
    static const char *const broken[] = { "{\\\"a\\\":[}", "{\\\"a\\\":{}}", "no json" };
    size_t i;
    char call[256];
    (void)state;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(call, sizeof call, "{\"operation\":\"body\",\"query\":{\"value\":\"%s\"}}", rows[i].body);
        if (rows[i].message)
            check_end(call, NULL, rows[i].expected, rows[i].status, rows[i].message);
        else
            check_pages(call, NULL, rows[i].expected);
    }
    for (i = 0; i < sizeof broken / sizeof *broken; i++) {
        routable_pages *pages;
        routable_str item = { "kept", 4 };
        size_t count = 77;
        snprintf(call, sizeof call, "{\"operation\":\"body\",\"query\":{\"value\":\"%s\"}}", broken[i]);
        pages = pages_of(call, NULL);
        assert_int_equal(routable_pages_next(pages, NULL, NULL, NULL), ROUTABLE_OK);
        assert_int_equal(routable_pages_item(pages, &item, NULL), ROUTABLE_ERR_RESPONSE);
        assert_int_equal(routable_pages_item_count(pages, &count, NULL), ROUTABLE_ERR_RESPONSE);
        assert_int_equal(item.len, 4);
        assert_int_equal(count, 77);
        assert_int_equal(routable_pages_next(pages, NULL, NULL, NULL), ROUTABLE_ERR_RESPONSE);
        routable_pages_free(pages);
    }
}

/* Checks the requests that the service received with this key, through another client. */
static void check_seen(const char *key, const char *expected)
{
    char call[128], *text;
    routable_response *response = NULL;
    routable_request *request;
    snprintf(call, sizeof call, "{\"operation\":\"seen\",\"ids\":[\"%s\"]}", key);
    request = build(router, call);
    assert_int_equal(routable_client_perform(client, request, &response, NULL), ROUTABLE_OK);
    text = text_of(routable_response_body(response));
    if (strcmp(text, expected))
        fail_msg("%s: got %s, expected %s", key, text, expected);
    routable_response_free(response);
    routable_request_free(request);
}

static void credentials_stay_at_home(void **state)
{
    routable_pages_options options = ROUTABLE_PAGES_OPTIONS_INIT;
    routable_request *request;
    routable_pages *pages = NULL;
    char text[512];
    (void)state;
    check_end("{\"operation\":\"elsewhere\",\"query\":{\"key\":\"refused\"}}", NULL, "1 2 | ", ROUTABLE_ERR_URL, "localhost");
    check_seen("refused", "[[\"/elsewhere?key=refused\", \"Bearer secret\", null]]");
    options.flags = ROUTABLE_PAGES_OTHER_ORIGINS;
    options.max_pages = 3;
    check_pages("{\"operation\":\"elsewhere\",\"query\":{\"key\":\"followed\"}}", &options, "1 2 | 3 4 | 5 6 | ");
    check_seen("followed",
        "[[\"/elsewhere?key=followed\", \"Bearer secret\", null], [\"/link?key=followed&page=2\", null, null], "
        "[\"/link?key=followed&page=3\", null, null]]");
    /* after a redirect to another origin, a relative link refers to that origin */
    check_end("{\"operation\":\"moved\",\"query\":{\"key\":\"moved\"}}", NULL, "1 2 | ", ROUTABLE_ERR_URL, "localhost");
    /* headers that the host has set */
    request = build(router, "{\"operation\":\"elsewhere\",\"query\":{\"key\":\"own\"}}");
    assert_int_equal(routable_request_set_header(request, "Authorization", routable_str_from("mine"), NULL), ROUTABLE_OK);
    options.max_pages = 2;
    assert_int_equal(routable_pages_new(client, request, &options, &pages, NULL), ROUTABLE_OK);
    routable_request_free(request);
    assert_int_equal(read_pages(pages, text, NULL), ROUTABLE_IDLE);
    routable_pages_free(pages);
    check_seen("own", "[[\"/elsewhere?key=own\", \"mine\", null], [\"/link?key=own&page=2\", null, null]]");
    /* they are sent to the same origin */
    options.page_size = 3;
    check_pages("{\"operation\":\"link\",\"query\":{\"key\":\"home\"}}", &options, "1 2 3 | 4 5 6 | ");
    check_seen("home",
        "[[\"/link?key=home&per_page=3\", \"Bearer secret\", null], "
        "[\"/link?key=home&per_page=3&page=2\", \"Bearer secret\", null]]");
    check_pages("{\"operation\":\"cursor\",\"query\":{\"key\":\"cursor\"}}", NULL, "1 2 | 3 4 | 5 6 | 7 | ");
    check_seen("cursor",
        "[[\"/cursor?key=cursor\", null, null], [\"/cursor?key=cursor&cursor=a%26b%3D%202\", null, null], "
        "[\"/cursor?key=cursor&cursor=a%26b%3D%204\", null, null], [\"/cursor?key=cursor&cursor=a%26b%3D%206\", null, null]]");
}

/* The base of the client is the base of the pages. */
/* A request for another origin stays one in all requests that are derived from it. */
static void pages_of_a_page(void **state)
{
    static const routable_header link = { { "Link", 4 }, { "<http://localhost:9/there?page=4&key=k#top>; rel=next",
        sizeof "<http://localhost:9/there?page=4&key=k#top>; rel=next" - 1 } };
    routable_pages_options options = ROUTABLE_PAGES_OPTIONS_INIT;
    routable_request *const request = build(router, "{\"operation\":\"elsewhere\",\"query\":{\"key\":\"k\"}}");
    routable_request *there = NULL, *next = NULL;
    routable_response *response = NULL;
    routable_pages *pages = NULL;
    routable_string line = { NULL, 0 };
    (void)state;
    assert_int_equal(routable_client_to_curl(client, request, ROUTABLE_SHOW_SECRETS, &line, NULL), ROUTABLE_OK);
    assert_non_null(strstr(line.ptr, "Bearer secret"));
    routable_string_free(&line);
    options.flags = ROUTABLE_PAGES_OTHER_ORIGINS;
    assert_int_equal(routable_pages_new(client, request, &options, &pages, NULL), ROUTABLE_OK);
    assert_int_equal(routable_response_map(router, NULL, "elsewhere", 200, &link, 1, routable_str_from("[1]"), &response, NULL), ROUTABLE_OK);
    assert_int_equal(routable_pages_follow(pages, response, &there, NULL), ROUTABLE_OK);
    check_text("there", routable_request_url(there), "http://localhost:9/there?page=4&key=k");
    routable_pages_free(pages);
    options.pagination = routable_str_from("{\"by\":\"page\",\"parameter\":\"key\",\"start\":7}");
    assert_int_equal(routable_pages_new(client, there, &options, &pages, NULL), ROUTABLE_OK);
    assert_int_equal(routable_pages_follow(pages, response, &next, NULL), ROUTABLE_ERR_ARGUMENT); /* k is not a number */
    routable_pages_free(pages);
    options.pagination = routable_str_from("{\"by\":\"cursor\",\"at\":\"/next\",\"parameter\":\"key\"}");
    assert_int_equal(routable_pages_new(client, there, &options, &pages, NULL), ROUTABLE_OK);
    routable_response_free(response);
    assert_int_equal(routable_response_map(router, NULL, "elsewhere", 200, NULL, 0, routable_str_from("{\"next\":\"m\"}"), &response, NULL), ROUTABLE_OK);
    assert_int_equal(routable_pages_follow(pages, response, &next, NULL), ROUTABLE_OK);
    check_text("next", routable_request_url(next), "http://localhost:9/there?page=4&key=m");
    assert_int_equal(routable_client_to_curl(client, next, ROUTABLE_SHOW_SECRETS, &line, NULL), ROUTABLE_OK);
    if (strstr(line.ptr, "secret") || !strstr(line.ptr, "localhost:9/there?page=4&key=m"))
        fail_msg("expected the other origin and no secret, got %s", line.ptr);
    routable_string_free(&line);
    routable_pages_free(pages);
    routable_response_free(response);
    routable_request_free(next);
    routable_request_free(there);
    routable_request_free(request);
}

static void base_of_the_client(void **state)
{
    static const char elsewhere[] = "http://router.invalid/v9";
    static const char *const calls[] = { "{\"operation\":\"link\"}", "{\"operation\":\"in_body\"}", "{\"operation\":\"cursor\"}", "{\"operation\":\"offset\"}" };
    static const char *const expected[] = {
        "1 2 | 3 4 | 5 6 | 7 | ", "1 2 | 3 4 | 5 6 | 7 | ", "1 2 | 3 4 | 5 6 | 7 | ", "1 2 | 3 4 | 5 6 | 7 | | ",
    };
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_client_options client_options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_router *other = NULL;
    routable_client *based = NULL;
    size_t i;
    (void)state;
    options.base = elsewhere;
    client_options.base = pages_service.base;
    assert_int_equal(routable_router_open(document, ROUTABLE_NUL_TERMINATED, &options, &other, NULL), ROUTABLE_OK);
    assert_int_equal(routable_client_new(&client_options, &based, NULL), ROUTABLE_OK);
    for (i = 0; i < sizeof calls / sizeof *calls; i++) {
        routable_request *const request = build(other, calls[i]);
        routable_pages *pages = NULL;
        routable_error *error = NULL;
        char text[512];
        assert_int_equal(routable_pages_new(based, request, NULL, &pages, NULL), ROUTABLE_OK);
        routable_request_free(request);
        check_status(calls[i], read_pages(pages, text, &error), ROUTABLE_IDLE, error);
        if (strcmp(text, expected[i]))
            fail_msg("%s: got %s, expected %s", calls[i], text, expected[i]);
        routable_pages_free(pages);
    }
    routable_router_free(other);
    routable_client_free(based);
}

/* A page that fails is requested again; the response of the previous page is kept, and no page is returned twice. */
static void failures(void **state)
{
    routable_pages *const pages = pages_of("{\"operation\":\"flaky\",\"ids\":[\"second\"]}", NULL);
    routable_error *error = NULL;
    char text[512];
    (void)state;
    assert_int_equal(read_pages(pages, text, &error), ROUTABLE_ERR_HTTP_STATUS);
    assert_string_equal(text, "1 2 | ");
    assert_int_equal(routable_error_http_status(error), 503);
    routable_error_free(error);
    assert_int_equal(read_pages(pages, text, NULL), ROUTABLE_IDLE);
    assert_string_equal(text, "3 4 | 5 6 | 7 | ");
    routable_pages_free(pages);
}

/* Without performing: the host gets the requests, and passes the responses that it received. */
static void by_hand(void **state)
{
    static const routable_header link = { { "Link", 4 }, { "<?page=2>; rel=\"next\"", 21 } };
    routable_request *const request = build(router, "{\"operation\":\"link\",\"query\":{\"per_page\":5}}");
    routable_request *given = NULL;
    routable_response *response = NULL;
    routable_pages *pages = NULL;
    routable_error *error = NULL;
    routable_str item;
    char url[128];
    (void)state;
    assert_int_equal(routable_pages_new(NULL, request, NULL, &pages, NULL), ROUTABLE_OK);
    assert_int_equal(routable_pages_next(pages, NULL, NULL, &error), ROUTABLE_ERR_ARGUMENT);
    check_contains("next", routable_error_message(error), "client");
    routable_error_free(error);
    assert_int_equal(routable_pages_follow(pages, NULL, &given, NULL), ROUTABLE_OK);
    check_text("first", routable_request_url(given), routable_request_url(request).ptr);
    routable_request_free(given);
    assert_int_equal(routable_response_map(router, NULL, "link", 200, &link, 1, routable_str_from(" [ 1.10 , \"a]\" ,{\"b\":[]} ] "), &response, NULL), ROUTABLE_OK);
    assert_int_equal(routable_pages_follow(pages, response, &given, NULL), ROUTABLE_OK);
    routable_response_free(response);
    snprintf(url, sizeof url, "%s/link?page=2", pages_service.base);
    check_text("second", routable_request_url(given), url);
    check_text("second", routable_request_operation(given), "link");
    /* the items of the last page, as written in the body */
    assert_int_equal(routable_pages_item(pages, &item, NULL), ROUTABLE_OK);
    check_text("item", item, "1.10");
    assert_int_equal(routable_pages_item(pages, &item, NULL), ROUTABLE_OK);
    check_text("item", item, "\"a]\"");
    assert_int_equal(routable_pages_item(pages, &item, NULL), ROUTABLE_OK);
    check_text("item", item, "{\"b\":[]}");
    assert_int_equal(routable_pages_item(pages, &item, NULL), ROUTABLE_IDLE);
    /* the requests can be sent by any client */
    assert_int_equal(routable_client_perform(client, given, &response, NULL), ROUTABLE_OK);
    routable_request_free(given);
    given = NULL;
    assert_int_equal(routable_pages_follow(pages, response, &given, NULL), ROUTABLE_OK);
    routable_request_free(given);
    routable_response_free(response);
    routable_pages_free(pages);
    routable_request_free(request);
}

/* A response that is passed again after a failure, or that replaces another one, is the same page. */
static void a_page_counts_once(void **state)
{
    routable_pages_options options = ROUTABLE_PAGES_OPTIONS_INIT;
    routable_request *const request = build(router, "{\"operation\":\"elsewhere\",\"query\":{\"key\":\"k\"}}");
    routable_request *next = NULL;
    routable_response *bad = NULL, *good = NULL;
    routable_pages *pages = NULL;
    (void)state;
    options.max_pages = 2;
    options.pagination = routable_str_from("{\"by\":\"cursor\",\"at\":\"/next\",\"parameter\":\"key\"}");
    assert_int_equal(routable_response_map(router, NULL, "elsewhere", 200, NULL, 0, routable_str_from("{\"next\":{}}"), &bad, NULL), ROUTABLE_OK);
    assert_int_equal(routable_response_map(router, NULL, "elsewhere", 200, NULL, 0, routable_str_from("{\"next\":\"m\"}"), &good, NULL), ROUTABLE_OK);
    assert_int_equal(routable_pages_new(client, request, &options, &pages, NULL), ROUTABLE_OK);
    for (int round = 0; round < 3; round++)
        assert_int_equal(routable_pages_follow(pages, bad, &next, NULL), ROUTABLE_ERR_RESPONSE);
    assert_int_equal(routable_pages_follow(pages, good, &next, NULL), ROUTABLE_OK);
    routable_request_free(next);
    next = NULL;
    assert_int_equal(routable_pages_follow(pages, good, &next, NULL), ROUTABLE_IDLE); /* the second page is the last one */
    routable_pages_free(pages);
    routable_response_free(bad);
    routable_response_free(good);
    routable_request_free(request);
}

/* --- Rules of a description for performing --- */

static void rules_are_read(void **state)
{
    static const char text[] =
        "{\"routable\":1,\"name\":\"r\",\"base\":\"http://h.example\",\"deadline\":5,\"retry\":{\"times\":2,\"delay\":0.25},"
        "\"idempotency\":true,\"pagination\":{\"by\":\"page\",\"parameter\":\"page\",\"start\":0},"
        "\"resources\":{\"thing\":{\"path\":\"things\",\"can\":[\"list\",\"read\",\"create\"],"
        "\"operations\":{\"list\":{\"query\":{\"page\":{\"type\":\"string\"}}},\"create\":{\"deadline\":1.5,\"idempotency\":{\"header\":\"X-Key\"}}}}},"
        "\"operations\":{\"a\":{\"get\":\"/a\",\"query\":{\"page\":{\"type\":\"string\"}},\"retry\":{\"times\":0},\"pagination\":false},"
        "\"b\":{\"post\":\"/b\",\"idempotency\":false}}}";
    static const struct {
        const char *resource, *operation;
        int64_t deadline, delay;
        int32_t retries;
        routable_paging paging;
        const char *key, *parameter;
    } rows[] = {
        { "thing", "list", 5000, 250, 2, ROUTABLE_PAGING_PAGE, "", "page" },
        { "thing", "read", 5000, 250, 2, ROUTABLE_PAGING_NONE, "", "" },
        { "thing", "create", 1500, 250, 2, ROUTABLE_PAGING_NONE, "X-Key", "" },
        { NULL, "a", 5000, 250, ROUTABLE_NONE, ROUTABLE_PAGING_NONE, "", "" },
        { NULL, "b", 5000, 250, 2, ROUTABLE_PAGING_NONE, "", "" },
    };
    routable_router *other = open_text(text);
    routable_string written;
    routable_policy policy = ROUTABLE_POLICY_INIT;
    routable_pagination pages;
    size_t i;
    (void)state;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        const routable_operation *operation = NULL;
        if (rows[i].resource) {
            const routable_resource *const resource = routable_router_resource(other, rows[i].resource);
            size_t n;
            for (n = 0; n < routable_resource_operation_count(resource); n++)
                if (same_text(routable_operation_name(routable_resource_operation_at(resource, n)), rows[i].operation))
                    operation = routable_resource_operation_at(resource, n);
        } else {
            operation = routable_router_operation(other, rows[i].operation);
        }
        assert_non_null(operation);
        pages = (routable_pagination)ROUTABLE_PAGINATION_INIT;
        assert_int_equal(routable_operation_policy(operation, &policy), 1);
        assert_int_equal(routable_operation_pagination(operation, &pages), rows[i].paging != ROUTABLE_PAGING_NONE);
        if (policy.deadline_ms != rows[i].deadline || policy.retry_delay_ms != rows[i].delay || policy.retries != rows[i].retries ||
            pages.by != rows[i].paging)
            fail_msg("%s: deadline %ld, delay %ld, retries %d, paging %d", rows[i].operation, (long)policy.deadline_ms,
                (long)policy.retry_delay_ms, (int)policy.retries, (int)pages.by);
        assert_int_equal(policy.size, sizeof policy);
        check_text(rows[i].operation, policy.idempotency_header, rows[i].key);
        if (pages.by != ROUTABLE_PAGING_NONE)
            check_text(rows[i].operation, pages.page_parameter, rows[i].parameter);
        assert_int_equal(pages.first_page, rows[i].paging != ROUTABLE_PAGING_NONE ? 0 : 1);
    }
    /* written in the declared form */
    assert_int_equal(routable_router_document(other, &written, NULL), ROUTABLE_OK);
    assert_string_equal(written.ptr, text);
    routable_string_free(&written);
    routable_router_free(other);
    assert_int_equal(routable_operation_policy(NULL, &policy), 0);
    assert_int_equal(routable_operation_policy(NULL, NULL), 0);
    assert_int_equal(routable_operation_pagination(NULL, NULL), 0);
}

/* The same key for all attempts of a request, another key for another request. */
static void keys(void **state)
{
    static const struct { const char *operation, *key; int own, fails, submitted; routable_status status; int count; } rows[] = {
        { "order", "k1", 0, 2, 0, ROUTABLE_OK, 3 },
        { "order", "k2", 0, 2, 1, ROUTABLE_OK, 3 },
        { "order", "k3", 1, 2, 0, ROUTABLE_OK, 3 },
        { "once", "k4", 0, 1, 0, ROUTABLE_OK, 2 },
        { "plain", "k5", 0, 1, 0, ROUTABLE_ERR_HTTP_STATUS, 1 },
        { "order", "k6", 0, 9, 0, ROUTABLE_ERR_HTTP_STATUS, 4 },
    };
    char last[64] = "";
    size_t i;
    (void)state;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        char call[128], *text;
        routable_request *request;
        routable_response *response = NULL;
        routable_error *error = NULL;
        routable_status status;
        const char *key, *start;
        int count = 0;
        snprintf(call, sizeof call, "{\"operation\":\"%s\",\"ids\":[\"%s\",%d]}", rows[i].operation, rows[i].key, rows[i].fails);
        request = build(router, call);
        if (rows[i].own)
            assert_int_equal(routable_request_set_header(request, "idempotency-key", routable_str_from("mine"), NULL), ROUTABLE_OK);
        if (rows[i].submitted) {
            routable_transfer *transfer = NULL;
            routable_policy policy = ROUTABLE_POLICY_INIT;
            policy.flags = ROUTABLE_POLICY_UNQUEUED;
            assert_int_equal(routable_client_submit(client, request, &policy, NULL, NULL, NULL, &transfer, NULL), ROUTABLE_OK);
            assert_int_equal(routable_transfer_wait(transfer, -1, NULL), ROUTABLE_OK);
            status = routable_transfer_result(transfer, &response, &error);
            routable_transfer_free(transfer);
        } else {
            status = routable_client_perform(client, request, &response, &error);
        }
        /* the request itself is not modified */
        if (!rows[i].own)
            assert_null(header_of(request, "Idempotency-Key"));
        routable_request_free(request);
        assert_int_equal(status, rows[i].status);
        text = text_of(routable_response_body(response ? response : routable_error_response(error)));
        start = strchr(text, '"');
        for (key = start; rows[i].fails && start && key && (key = strstr(key, rows[i].own ? "mine" : "-4")); key++)
            count++;
        if (rows[i].own) {
            assert_int_equal(count, rows[i].count);
        } else if (start) { /* the same key in each attempt */
            char first[48];
            size_t n = 0;
            snprintf(first, sizeof first, "%.38s", start);
            assert_int_equal(first[15], '4');
            assert_non_null(strchr("89ab", first[20]));
            for (key = text; (key = strstr(key, first)); key++)
                n++;
            assert_int_equal(n, rows[i].count);
            assert_string_not_equal(first, last);
            snprintf(last, sizeof last, "%s", first);
        } else {
            assert_int_equal(rows[i].count, 1);
        }
        routable_response_free(response);
        routable_error_free(error);
    }
}

/* Precedence: the client's options < the description < the policy of the request. */
static void which_rule_counts(void **state)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_policy policy = ROUTABLE_POLICY_INIT;
    routable_client *eager = NULL;
    routable_request *request;
    routable_error *error = NULL;
    (void)state;
    options.retries = 9;
    options.retry_delay_ms = 1;
    assert_int_equal(routable_client_new(&options, &eager, NULL), ROUTABLE_OK);
    request = build(router, "{\"operation\":\"order\",\"ids\":[\"r1\",99]}");
    {
        routable_response *response = NULL;
        char *text;
        assert_int_equal(routable_client_perform(eager, request, &response, &error), ROUTABLE_ERR_HTTP_STATUS);
        text = text_of(routable_response_body(routable_error_response(error)));
        assert_int_equal(strlen(text), 4 * 40); /* the description's 3 retries */
        routable_error_free(error);
        policy.retries = 1;
        assert_int_equal(routable_client_perform_with(eager, request, &policy, &response, &error), ROUTABLE_ERR_HTTP_STATUS);
        text = text_of(routable_response_body(routable_error_response(error)));
        assert_int_equal(strlen(text), 6 * 40);
        routable_error_free(error);
        assert_null(response);
    }
    routable_request_free(request);
    routable_client_free(eager);
}

static void null_and_freed(void **state)
{
    routable_pages *pages = NULL;
    routable_request *request = build(router, "{\"operation\":\"link\"}"), *given = NULL;
    routable_client *other = NULL;
    routable_str item;
    size_t count;
    (void)state;
    assert_int_equal(routable_pages_new(client, NULL, NULL, &pages, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_pages_new(client, request, NULL, NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_pages_next(NULL, NULL, NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_pages_follow(NULL, NULL, &given, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_pages_item(NULL, &item, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_pages_item_count(NULL, &count, NULL), ROUTABLE_ERR_ARGUMENT);
    routable_pages_free(NULL);
    /* there is no item before the first page */
    assert_int_equal(routable_pages_new(client, request, NULL, &pages, NULL), ROUTABLE_OK);
    {
        routable_error *error = NULL;
        assert_int_equal(routable_pages_item(pages, &item, &error), ROUTABLE_ERR_ARGUMENT);
        assert_string_equal(routable_error_message(error).ptr, "no page was read yet: read a page before its items");
        routable_error_free(error);
        assert_int_equal(routable_pages_item_count(pages, &count, NULL), ROUTABLE_OK);
        assert_int_equal(count, 0);
    }
    assert_int_equal(routable_pages_item(pages, NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_pages_follow(pages, NULL, NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    routable_pages_free(pages);
    /* the client is freed first */
    assert_int_equal(routable_client_new(NULL, &other, NULL), ROUTABLE_OK);
    assert_int_equal(routable_pages_new(other, request, NULL, &pages, NULL), ROUTABLE_OK);
    assert_int_equal(routable_pages_next(pages, NULL, NULL, NULL), ROUTABLE_OK);
    routable_client_free(other);
    (void)!routable_pages_next(pages, NULL, NULL, NULL);
    routable_pages_free(pages);
    routable_request_free(request);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways),
        cmocka_unit_test(bounds),
        cmocka_unit_test(refused_at_once),
        cmocka_unit_test(never_for_ever),
        cmocka_unit_test(hostile_links),
        cmocka_unit_test(bodies_that_are_no_pages),
        cmocka_unit_test(credentials_stay_at_home),
        cmocka_unit_test(pages_of_a_page), cmocka_unit_test(a_page_counts_once),
        cmocka_unit_test(base_of_the_client),
        cmocka_unit_test(failures),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(rules_are_read),
        cmocka_unit_test(keys),
        cmocka_unit_test(which_rule_counts),
        cmocka_unit_test(null_and_freed),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
