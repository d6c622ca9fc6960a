/* messages.c - readers of calls, responses, options and messages of a peer. */
#include "readers.h"

static const char description[] =
    "{\"routable\":1,\"base\":\"http://h/v1\",\"types\":{\"T\":{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"integer\"}},\"required\":[\"id\"]}},"
    "\"resources\":{\"user\":{\"path\":\"users\",\"id\":\"name\",\"can\":[\"list\",\"read\",\"create\",\"delete\"],\"has\":[\"post\"],\"type\":\"T\"},"
    "\"post\":{\"path\":\"posts\",\"id\":{\"name\":\"n\",\"type\":\"integer\"},\"can\":[\"list\",\"read\"]}},"
    "\"operations\":{\"find\":{\"get\":\"/find\",\"query\":{\"q\":{},\"l\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"n\":{\"type\":\"integer\"}}},"
    "\"form\":{\"post\":\"/form\"},\"send\":{\"post\":\"/send\",\"body\":{\"type\":[\"object\",\"array\",\"string\",\"number\"]}},"
    "\"link\":{\"get\":\"/link\",\"pagination\":{\"by\":\"link\"}},"
    "\"cursor\":{\"get\":\"/cursor\",\"query\":{\"c\":{}},\"pagination\":{\"by\":\"cursor\",\"at\":\"/next\",\"items\":\"/items\",\"parameter\":\"c\"}},"
    "\"body\":{\"get\":\"/body\",\"pagination\":{\"by\":\"link\",\"at\":\"/next\",\"items\":\"/items\"}}}}";

static const routable_router *router(void)
{
    static routable_router *kept;
    return fuzz_router(&kept, description);
}

/* --- Calls --- */

static routable_status read_call(const char *bytes, size_t count)
{
    const routable_str text = routable_str_from_bytes(bytes, count);
    routable_string out = ROUTABLE_STRING_INIT;
    routable_error *error = NULL;
    const routable_status status = reader_end("call", routable_build_json(router(), bytes, count, &out, &error), &error, &text);
    routable_string_free(&out);
    return status;
}

/* --- Responses --- */

/* Headers are lines; an empty line ends them. */
static size_t split_headers(const char **bytes, size_t *count, routable_header *headers, size_t capacity)
{
    size_t found = 0;
    while (*count) {
        const char *const line = *bytes, *const end = (const char *)memchr(line, '\n', *count), *colon;
        const size_t length = end ? (size_t)(end - line) : *count;
        *bytes += length + (end != NULL);
        *count -= length + (end != NULL);
        colon = (const char *)memchr(line, ':', length);
        if (length == 0)
            break;
        if (!colon || found == capacity)
            continue;
        headers[found].name = routable_str_from_bytes(line, (size_t)(colon - line));
        headers[found].value = routable_str_from_bytes(colon + 1, length - (size_t)(colon + 1 - line));
        found++;
    }
    return found;
}

static const char *const operations[] = { "find", "send", "link", "cursor", "body", "list" };

static routable_status map_response(const char **bytes, size_t *count, const char *operation, int32_t http_status, routable_response **out)
{
    static routable_header headers[2000];
    const size_t found = split_headers(bytes, count, headers, 2000);
    routable_error *error = NULL;
    const routable_status status = routable_response_map(router(), strcmp(operation, "list") ? NULL : "user", operation, http_status, headers, found,
        routable_str_from_bytes(*bytes, *count), out, &error);
    return reader_end("response", status, &error, NULL);
}

static routable_status read_response(const char *bytes, size_t count)
{
    const unsigned which = count ? (unsigned)(unsigned char)*bytes % 6 : 0;
    routable_response *response = NULL;
    routable_status status;
    bytes += count != 0;
    count -= count != 0;
    status = map_response(&bytes, &count, operations[which], which == 1 ? 404 : 200, &response);
    routable_response_free(response);
    return status;
}

/* Reads a page of a response: the next request and the items. */
static routable_status read_page(const char *bytes, size_t count)
{
    const char *const operation = operations[2 + (count ? (unsigned)(unsigned char)*bytes % 3 : 0)];
    char call[64];
    routable_response *response = NULL;
    routable_request *request = NULL, *next = NULL;
    routable_pages *pages = NULL;
    routable_status status;
    bytes += count != 0;
    count -= count != 0;
    if (map_response(&bytes, &count, operation, 200, &response) != ROUTABLE_OK)
        return ROUTABLE_ERR_RESPONSE;
    snprintf(call, sizeof call, "{\"operation\":\"%s\"}", operation);
    EXPECT(routable_request_new_json(router(), call, ROUTABLE_NUL_TERMINATED, &request, NULL) == ROUTABLE_OK, "page: expected a request");
    EXPECT(routable_pages_new(NULL, request, NULL, &pages, NULL) == ROUTABLE_OK, "page: expected pages");
    EXPECT(routable_pages_follow(pages, NULL, &next, NULL) == ROUTABLE_OK, "page: expected the first request");
    routable_request_free(next);
    next = NULL;
    {
        routable_error *error = NULL;
        routable_str item;
        status = routable_pages_follow(pages, response, &next, &error);
        if (status != ROUTABLE_IDLE)
            status = reader_end("page", status, &error, NULL);
        if (next)
            fuzz_check_url("page", routable_request_url(next));
        while (routable_pages_item(pages, &item, NULL) == ROUTABLE_OK)
            continue;
    }
    routable_request_free(next);
    routable_pages_free(pages);
    routable_request_free(request);
    routable_response_free(response);
    return status;
}

/* Responses of a peer, over a transport: redirects, challenges, delays. */
static routable_status read_answer(const char *bytes, size_t count)
{
    static routable_client *client;
    static routable_responses *responses;
    static routable_request *request;
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    static routable_header headers[2000];
    routable_canned canned = ROUTABLE_CANNED_INIT;
    routable_reply reply = ROUTABLE_REPLY_INIT;
    routable_policy policy = ROUTABLE_POLICY_INIT;
    routable_response *response = NULL;
    routable_error *error = NULL;
    static const int32_t statuses[] = { 200, 301, 307, 401, 404, 304 };
    routable_status status;
    FUZZ_LEAKS(disable);
    if (!request)
        EXPECT(routable_request_new_json(router(), "{\"operation\":\"find\"}", ROUTABLE_NUL_TERMINATED, &request, NULL) == ROUTABLE_OK,
            "answer: expected a request");
    EXPECT(routable_responses_new(&responses, NULL) == ROUTABLE_OK, "answer: expected responses");
    options.transport = routable_responses_answer;
    options.transport_user_data = responses;
    EXPECT(routable_client_new(&options, &client, NULL) == ROUTABLE_OK, "answer: expected a client");
    FUZZ_LEAKS(enable);
    reply.http_status = statuses[count ? (unsigned)(unsigned char)*bytes % 6 : 0];
    bytes += count != 0;
    count -= count != 0;
    reply.headers = headers;
    reply.header_count = split_headers(&bytes, &count, headers, 2000);
    reply.body = routable_str_from_bytes(bytes, count);
    canned.reply = &reply;
    canned.times = ROUTABLE_NONE;
    status = routable_responses_add(responses, &canned, &error);
    if (status == ROUTABLE_OK) {
        policy.retries = ROUTABLE_NONE;
        policy.max_redirects = 2;
        status = routable_client_perform_with(client, request, &policy, &response, &error);
    }
    reader_end("answer", status, &error, NULL);
    routable_response_free(response);
    routable_client_free(client);
    routable_responses_free(responses);
    return status;
}

/* --- Options: strings that a program may take from its own input --- */

static routable_request *some_request(void)
{
    routable_request *request = NULL;
    EXPECT(routable_request_new_json(router(), "{\"operation\":\"send\",\"body\":1}", ROUTABLE_NUL_TERMINATED, &request, NULL) == ROUTABLE_OK,
        "options: expected a request");
    return request;
}

/* Changes a request, and prints it. */
static routable_status change_request(unsigned which, const reader_fields *fields)
{
    routable_request *const request = some_request();
    routable_string out = ROUTABLE_STRING_INIT;
    routable_error *error = NULL;
    routable_status status;
    if (which == 0)
        status = routable_request_set_header(request, fields->text[0], reader_field(fields, 1), &error);
    else if (which == 1)
        status = routable_request_if_match(request, reader_field(fields, 0), reader_field(fields, 1), &error);
    else if (which == 2)
        status = routable_request_set_body(request, reader_field(fields, 1), fields->text[0], &error);
    else {
        routable_part part = ROUTABLE_PART_INIT;
        part.name = reader_field(fields, 1);
        part.content = reader_field(fields, 2);
        part.filename = fields->text[0];
        status = routable_request_set_multipart(request, &part, 1, 0, &error);
    }
    status = reader_end("change", status, &error, NULL);
    EXPECT(routable_request_to_curl(request, 0, &out, NULL) == ROUTABLE_OK, "change: expected a curl command");
    routable_string_free(&out);
    EXPECT(routable_request_to_json(request, &out, NULL) == ROUTABLE_OK, "change: expected JSON");
    routable_string_free(&out);
    routable_request_free(request);
    return status;
}

static routable_status new_client(const reader_fields *fields)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    const routable_header header = { reader_field(fields, 1), reader_field(fields, 2) };
    routable_client *client = NULL;
    routable_error *error = NULL;
    routable_status status;
    options.transport = routable_responses_answer;
    options.base = fields->text[0];
    options.proxy = fields->text[1];
    options.no_proxy = fields->text[2];
    options.user_agent = fields->text[2];
    options.headers = &header;
    options.header_count = fields->length[1] != 0;
    status = routable_client_new(&options, &client, &error);
    routable_client_free(client);
    return reader_end("client", status, &error, NULL);
}

static routable_status set_credential(const reader_fields *fields)
{
    static routable_client *client;
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
    routable_error *error = NULL;
    options.transport = routable_responses_answer;
    FUZZ_LEAKS(disable);
    if (!client)
        EXPECT(routable_client_new(&options, &client, NULL) == ROUTABLE_OK, "credential: expected a client");
    FUZZ_LEAKS(enable);
    credential.scheme = "a";
    credential.token = reader_field(fields, 1);
    credential.token_url = fields->text[0];
    credential.origin = fields->text[2];
    credential.refresh_body = reader_field(fields, 2);
    return reader_end("credential", routable_client_set_credential(client, &credential, &error), &error, NULL);
}

/* Overrides the base of the description, and selects names. */
static routable_status open_with(const reader_fields *fields)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    const routable_str only = reader_field(fields, 1);
    routable_router *opened = NULL;
    routable_error *error = NULL;
    routable_status status;
    options.base = fields->text[0];
    options.only = &only;
    options.only_count = fields->length[1] != 0;
    status = routable_router_open(description, ROUTABLE_NUL_TERMINATED, &options, &opened, &error);
    routable_router_free(opened);
    return reader_end("open with a base", status, &error, NULL);
}

static routable_status write_plan(const reader_fields *fields)
{
    routable_plan *plan = NULL;
    routable_error *error = NULL;
    char url[4096];
    size_t length = 0;
    const routable_value id = routable_value_str(reader_field(fields, 1));
    routable_status status = routable_plan_new(router(), fields->text[0][0] == 'u' ? fields->text[0] : "user", "read", &plan, &error);
    if (status == ROUTABLE_OK)
        status = routable_plan_write(plan, &id, 1, NULL, 0, url, sizeof url, &length, &error);
    routable_plan_free(plan);
    return reader_end("plan", status, &error, NULL);
}

static routable_status new_pages(const reader_fields *fields)
{
    routable_request *const request = some_request();
    routable_pages_options options = ROUTABLE_PAGES_OPTIONS_INIT;
    routable_pages *pages = NULL;
    routable_error *error = NULL;
    routable_status status;
    options.pagination = reader_field(fields, 1);
    status = routable_pages_new(NULL, request, &options, &pages, &error);
    routable_pages_free(pages);
    routable_request_free(request);
    return reader_end("pages", status, &error, NULL);
}

static routable_status read_option(const char *bytes, size_t count)
{
    const unsigned which = count ? (unsigned)((unsigned char)*bytes - 'a') % 9 : 0;
    reader_fields fields = reader_fields_of(bytes + (count != 0), count - (count != 0));
    routable_status status;
    switch (which) {
    case 4: status = new_client(&fields); break;
    case 5: status = set_credential(&fields); break;
    case 6: status = open_with(&fields); break;
    case 7: status = write_plan(&fields); break;
    case 8: status = new_pages(&fields); break;
    default: status = change_request(which, &fields); break;
    }
    reader_fields_free(&fields);
    return status;
}

const reader message_readers[] = {
    { "call", "call", "routable_build_json", read_call, 0 },
    { "response", "headers", "routable_response_map", read_response, 0 },
    { "page", "headers", "routable_pages_follow, item", read_page, 0 },
    { "answer", "headers", "routable_client_perform with a transport", read_answer, 0 },
    { "option", "options", "routable_request_set_header, if_match, set_body, set_multipart, to_curl, client_new, set_credential, plan_write, pages_new", read_option, 0 },
    { NULL, NULL, NULL, NULL, 0 },
};
