/* Links of responses, followed as requests: their operations, relative URLs, templates, and requests to other origins. */
#include "support.h"

#include <routable_credentials.h>
#include <routable_links.h>
#include <routable_transport.h>

static const char document[] =
    "{\"routable\":1,\"base\":\"https://api.test/v1\",\"auth\":{\"key\":{\"scheme\":\"key\",\"in\":\"header\",\"name\":\"X-Key\","
    "\"default\":true}},\"types\":{\"User\":{\"type\":\"object\",\"required\":[\"name\"]}},"
    "\"resources\":{\"user\":{\"path\":\"users\",\"can\":[\"list\",\"read\",\"create\",\"update\"],\"type\":\"User\","
    "\"has\":[\"status\"]},\"status\":{\"path\":\"statuses\",\"can\":[\"read\"],\"nested\":true}},"
    "\"operations\":{\"search\":{\"get\":\"/search\",\"query\":{\"q\":{}}}}}";

static routable_router *router;

static int start(void **state)
{
    routable_error *error = NULL;
    (void)state;
    check_status("document", routable_router_open(document, ROUTABLE_NUL_TERMINATED, NULL, &router, &error), ROUTABLE_OK, error);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    routable_router_free(router);
    return 0;
}

static routable_response *response_with(const char *name, const char *value, const char *body)
{
    routable_response *response = NULL;
    routable_error *error = NULL;
    routable_header header;
    header.name = routable_str_from(name);
    header.value = routable_str_from(value);
    check_status(name, routable_response_map(router, NULL, "search", 200, &header, 1, routable_str_from(body), &response, &error), ROUTABLE_OK, error);
    return response;
}

/* Follows a link, and writes "METHOD URL route operation", or the status and the message. */
static const char *followed(routable_link link)
{
    static char text[600];
    routable_request *request = NULL;
    routable_error *error = NULL;
    const routable_status status = routable_router_follow(router, &link, &request, &error);
    assert_int_equal(status == ROUTABLE_OK, request != NULL);
    if (status == ROUTABLE_OK)
        snprintf(text, sizeof text, "%s %s %s %s", routable_request_method(request).ptr, routable_request_url(request).ptr,
            routable_request_route(request).ptr, routable_request_operation(request).ptr);
    else
        snprintf(text, sizeof text, "%s: %s", routable_status_name(status), message_of(error));
    routable_request_free(request);
    routable_error_free(error);
    return text;
}

static void urls(void **state)
{
    static const struct {
        const char *url, *method, *base, *expected;
    } rows[] = {
        { "https://api.test/v1/users/x", NULL, NULL, "GET https://api.test/v1/users/x user read" },
        { "https://API.test:443/v1/users/x?a=1#f", NULL, NULL, "GET https://API.test:443/v1/users/x?a=1 user read" },
        { "users/x/statuses/3", NULL, NULL, "GET https://api.test/users/x/statuses/3  follow" }, /* relative to /v1 */
        { "/v1/users/x/statuses/3", NULL, NULL, "GET https://api.test/v1/users/x/statuses/3 user.status read" },
        { "/v1/users", NULL, NULL, "GET https://api.test/v1/users user list" },
        { "/v1/users", "POST", NULL, "POST https://api.test/v1/users user create" },
        { "/v1/users/x", "DELETE", NULL, "DELETE https://api.test/v1/users/x  follow" }, /* not declared */
        { "/v1/search?q=a%20b", NULL, NULL, "GET https://api.test/v1/search?q=a%20b  search" },
        { "/v1x/users", NULL, NULL, "GET https://api.test/v1x/users  follow" },
        { "https://other.test/v1/users/x", NULL, NULL, "GET https://other.test/v1/users/x  follow" },
        { "http://api.test/v1/users/x", NULL, NULL, "GET http://api.test/v1/users/x  follow" }, /* another scheme */
        { "/api/users/x", NULL, "http://127.0.0.1:8080/api", "GET http://127.0.0.1:8080/api/users/x user read" },
        { "ftp://api.test/v1/users", NULL, NULL, "url: the URL is not an http or https URL" },
        { "https://a:b@api.test/v1", NULL, NULL, "url: the URL is not an http or https URL" },
        { "/v1/us ers", NULL, NULL, "url: the URL is not a URL: it contains a space" },
        { "/v1/users", "G T", NULL, "argument: the method \"G T\" is not a valid HTTP token" },
        { "/v1/users", NULL, "/v1", "url: a link requires a base with a host" },
        { "/v1/users", NULL, "x", "url: the base \"x\" is not valid" },
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        routable_link link = ROUTABLE_LINK_INIT;
        const char *found;
        link.url = routable_str_from(rows[i].url);
        link.method = rows[i].method;
        link.base = rows[i].base;
        found = followed(link);
        if (strncmp(found, rows[i].expected, strlen(rows[i].expected)))
            fail_msg("%s: got %s, expected %s", rows[i].url, found, rows[i].expected);
    }
}

static void places(void **state)
{
    routable_response *const response =
        response_with("Link", "<https://api.test/v1/users/1>; rel=\"first self\", </v1/users?page=2>; rel=next",
            "{\"user\":{\"href\":\"../v1/users/7\"},\"find\":\"/v1/search{?q}\",\"number\":3,\"none\":null}");
    routable_response *const moved = response_with("Location", "/v1/users/9", "");
    routable_argument value = ROUTABLE_ARGUMENT_INIT;
    routable_link link = ROUTABLE_LINK_INIT;
    (void)state;
    link.response = response;
    link.relation = "NEXT";
    assert_string_equal(followed(link), "GET https://api.test/v1/users?page=2 user list");
    link.relation = "self";
    assert_string_equal(followed(link), "GET https://api.test/v1/users/1 user read");
    link.relation = "last";
    assert_string_equal(followed(link), "response: the response has no Link header with the relation \"last\"");
    link.relation = NULL;
    assert_string_equal(followed(link), "response: the response has no Location header");
    link.pointer = "/user/href";
    link.relative_to = routable_str_from("https://api.test/v1/a");
    assert_string_equal(followed(link), "GET https://api.test/v1/users/7 user read");
    link.pointer = "/none";
    assert_string_equal(followed(link), "response: the response has no URL at /none");
    link.pointer = "/user";
    assert_string_equal(followed(link), "response: the value at /user is neither a string nor a number");
    link.pointer = "/find";
    link.values = &value;
    link.value_count = 1;
    value.name = "q";
    value.value = routable_value_string("a b");
    assert_string_equal(followed(link), "GET https://api.test/v1/search?q=a%20b  search");
    link.relation = "next";
    assert_string_equal(followed(link), "argument: link: set at most one of url, relation and pointer");
    {
        routable_link location = ROUTABLE_LINK_INIT;
        assert_string_equal(followed(location), "argument: link: neither a response nor a URL is given");
        location.response = moved;
        assert_string_equal(followed(location), "GET https://api.test/v1/users/9 user read");
    }
    routable_response_free(moved);
    routable_response_free(response);
}

static void finding(void **state)
{
    const char *const header = "<a>; rel=x, <b>; rel=\"y next\"";
    routable_str found = routable_str_from("unchanged");
    (void)state;
    assert_int_equal(routable_link_find(routable_str_from(header), "next", &found), 1);
    assert_ptr_equal(found.ptr, strchr(header, 'b'));
    assert_int_equal(found.len, 1);
    assert_int_equal(routable_link_find(routable_str_from(header), "z", &found), 0);
    assert_int_equal(found.len, 1);
}

/* A followed request is performed like any other; secrets are only sent to the same origin, in both directions. */
static void credentials_stay_within_the_origin(void **state)
{
    static const struct {
        const char *url;
        int sent, typed;
    } rows[] = {
        { "https://api.test/v1/users/x", 1, 1 },
        { "https://api.test/blobs/1", 1, 0 },
        { "https://cdn.test/v1/users/x", 0, 0 },
        { "https://api.test:8443/v1/users/x", 0, 0 },
        { "http://api.test/v1/users/x", 0, 0 },
    };
    routable_responses *responses = NULL;
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
    routable_client *client = NULL;
    routable_canned canned = ROUTABLE_CANNED_INIT;
    routable_reply reply = ROUTABLE_REPLY_INIT;
    routable_header session;
    size_t i;
    (void)state;
    reply.body = routable_str_from("{\"name\":\"x\"}");
    canned.reply = &reply;
    canned.times = ROUTABLE_NONE;
    session.name = routable_str_from("X-Session");
    session.value = routable_str_from("s3cret");
    options.headers = &session;
    options.header_count = 1;
    assert_int_equal(routable_responses_new(&responses, NULL), ROUTABLE_OK);
    assert_int_equal(routable_responses_add(responses, &canned, NULL), ROUTABLE_OK);
    options.transport = routable_responses_answer;
    options.transport_user_data = responses;
    assert_int_equal(routable_client_new(&options, &client, NULL), ROUTABLE_OK);
    credential.scheme = "key";
    credential.token = routable_str_from("t0ken");
    assert_int_equal(routable_client_set_credential(client, &credential, NULL), ROUTABLE_OK);
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        routable_link link = ROUTABLE_LINK_INIT;
        routable_request *request = NULL;
        routable_response *response = NULL;
        routable_error *error = NULL;
        const routable_exchange *sent;
        link.url = routable_str_from(rows[i].url);
        check_status(rows[i].url, routable_router_follow(router, &link, &request, &error), ROUTABLE_OK, error);
        check_status(rows[i].url, routable_client_perform(client, request, &response, &error), ROUTABLE_OK, error);
        sent = routable_responses_request_at(responses, i);
        if ((routable_exchange_header(sent, "X-Key").len == 5) != rows[i].sent || (routable_exchange_header(sent, "X-Session").len == 6) != rows[i].sent)
            fail_msg("%s: credentials are %s", rows[i].url, rows[i].sent ? "missing" : "sent");
        assert_int_equal(routable_response_outcome(response), rows[i].typed ? ROUTABLE_OUTCOME_SELF : ROUTABLE_OUTCOME_RAW);
        routable_response_free(response);
        routable_request_free(request);
    }
    routable_client_free(client);
    routable_responses_free(responses);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(urls),
        cmocka_unit_test(places),
        cmocka_unit_test(finding),
        cmocka_unit_test(credentials_stay_within_the_origin),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
