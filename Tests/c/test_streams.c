/* Streams: lines and events as they arrive, backpressure by a slow reader; and the splitter without a client. */
#include "bodies.h"

/* --- The splitter: the same items for all pieces --- */

typedef struct cut {
    routable_stream_kind kind;
    const char *bytes;
    size_t count;
    const char *items; /* the data, or event|id|data; a slash follows each */
} cut;

#define TEXT(text) text, sizeof text - 1
static const cut cuts[] = {
    { ROUTABLE_STREAM_LINES, TEXT("{\"a\":1}\n{\"b\":2}\r\n\n \n{\"c\":3}"), "{\"a\":1}/{\"b\":2}/ /{\"c\":3}/" },
    { ROUTABLE_STREAM_LINES, TEXT("\xef\xbb\xbf{}\n"), "{}/" },
    { ROUTABLE_STREAM_LINES, TEXT("\xef\xbb"), "\xef\xbb/" },
    { ROUTABLE_STREAM_LINES, TEXT("\xef\xbb\n"), "\xef\xbb/" },
    { ROUTABLE_STREAM_LINES, TEXT("a\rb\n"), "a\rb/" }, /* CR alone does not end a line of JSON Lines */
    { ROUTABLE_STREAM_LINES, TEXT(""), "" },
    /* The examples of WHATWG HTML, section 9.2.6 and 9.2.7. */
    { ROUTABLE_STREAM_EVENTS, TEXT("data: This is the first message.\n\ndata: This is the second message, it\ndata: has two lines.\n\n"
        "data: This is the third message.\n\n"),
        "message||This is the first message./message||This is the second message, it\nhas two lines./message||This is the third message./" },
    { ROUTABLE_STREAM_EVENTS, TEXT("event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\n"), "add||73857293/remove||2153/" },
    { ROUTABLE_STREAM_EVENTS, TEXT("data: YHOO\ndata: +2\ndata: 10\n\n"), "message||YHOO\n+2\n10/" },
    { ROUTABLE_STREAM_EVENTS, TEXT(": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n"),
        "message|1|first event/message||second event/message|| third event/" },
    { ROUTABLE_STREAM_EVENTS, TEXT("data\n\ndata\ndata\n\ndata:"), "message||/message||\n/" },
    { ROUTABLE_STREAM_EVENTS, TEXT("data:test\n\ndata: test\n\n"), "message||test/message||test/" },
    /* Line breaks of all three kinds. */
    { ROUTABLE_STREAM_EVENTS, TEXT("data:a\r\rdata:b\r\n\r\ndata:c\n\rdata:d\n\n"), "message||a/message||b/message||c/message||d/" },
    { ROUTABLE_STREAM_EVENTS, TEXT("\xef\xbb\xbf" "data:a\n\n"), "message||a/" },
    { ROUTABLE_STREAM_EVENTS, TEXT("\xef\xbb\xbf\xef\xbb\xbf" "data:a\n\ndata:b\n\n"), "message||b/" },
    /* Fields. */
    { ROUTABLE_STREAM_EVENTS, TEXT("event: x\n\ndata: a\n\n"), "message||a/" },
    { ROUTABLE_STREAM_EVENTS, TEXT("id: 1\n\ndata: a\n\nid: 2\0\ndata: b\n\n"), "message|1|a/message|1|b/" },
    { ROUTABLE_STREAM_EVENTS, TEXT("Data: a\nfoo: b\ndata : c\ndata: d\n\n"), "message||d/" },
    { ROUTABLE_STREAM_EVENTS, TEXT("retry: 1000\nretry: 10x\nretry:\ndata: a\n\n"), "message||a/" },
};

static void show(char *out, size_t capacity, routable_stream_kind kind, const routable_stream_item *item)
{
    const size_t length = strlen(out);
    if (kind == ROUTABLE_STREAM_EVENTS)
        snprintf(out + length, capacity - length, "%s|%s|%s/", item->event.ptr, item->id.ptr, item->data.ptr);
    else
        snprintf(out + length, capacity - length, "%s/", item->data.ptr);
}

static void the_same_items_whatever_the_pieces(void **state)
{
    size_t i, size;
    (void)state;
    for (i = 0; i < sizeof cuts / sizeof *cuts; i++)
        for (size = 1; size <= cuts[i].count + 1; size++) {
            routable_stream_options options = ROUTABLE_STREAM_OPTIONS_INIT;
            routable_splitter *splitter = NULL;
            routable_stream_item item;
            char got[1024] = "";
            size_t place;
            options.kind = cuts[i].kind;
            assert_int_equal(routable_splitter_new(&options, &splitter, NULL), ROUTABLE_OK);
            for (place = 0; place < cuts[i].count; place += size) {
                routable_str piece;
                piece.ptr = cuts[i].bytes + place;
                piece.len = cuts[i].count - place < size ? cuts[i].count - place : size;
                assert_int_equal(routable_splitter_feed(splitter, piece, NULL), ROUTABLE_OK);
                while (routable_splitter_next(splitter, &item, NULL) == ROUTABLE_OK)
                    show(got, sizeof got, options.kind, &item);
            }
            routable_splitter_end(splitter);
            while (routable_splitter_next(splitter, &item, NULL) == ROUTABLE_OK)
                show(got, sizeof got, options.kind, &item);
            if (strcmp(got, cuts[i].items) != 0)
                print_error("row %zu in pieces of %zu:\nexpected: %s\ngot:      %s\n", i, size, cuts[i].items, got);
            assert_string_equal(got, cuts[i].items);
            assert_int_equal(routable_splitter_retry_ms(splitter), strstr(cuts[i].bytes, "retry") ? 1000 : -1);
            routable_splitter_free(splitter);
        }
}

static void an_item_that_is_too_large(void **state)
{
    int kind;
    (void)state;
    for (kind = ROUTABLE_STREAM_LINES; kind <= ROUTABLE_STREAM_EVENTS; kind++) {
        routable_stream_options options = ROUTABLE_STREAM_OPTIONS_INIT;
        routable_splitter *splitter = NULL;
        routable_error *error = NULL;
        options.kind = kind;
        options.max_item_bytes = 20;
        assert_int_equal(routable_splitter_new(&options, &splitter, NULL), ROUTABLE_OK);
        assert_int_equal(routable_splitter_feed(splitter, routable_str_from("data: 4567890\n"), NULL), ROUTABLE_OK);
        check_status("large", routable_splitter_feed(splitter, routable_str_from("data: 456789012345678901234567890\n"), &error),
            ROUTABLE_ERR_LIMIT, error);
        routable_error_free(error);
        routable_splitter_free(splitter);
        options.kind = 7;
        check_status("kind", routable_splitter_new(&options, &splitter, &error), ROUTABLE_ERR_ARGUMENT, error);
        routable_error_free(error);
    }
}

/* --- Over a connection --- */

static routable_stream *open_stream(const char *path, const routable_stream_options *options, const routable_policy *policy)
{
    routable_request *const request = request_of("get", path);
    routable_stream *stream = NULL;
    routable_error *error = NULL;
    check_status(path, routable_stream_open(client, request, options, policy, &stream, &error), ROUTABLE_OK, error);
    routable_request_free(request);
    return stream;
}

/* All items, and the final status. */
static routable_status read_all(routable_stream *stream, routable_stream_kind kind, char *out, size_t capacity)
{
    routable_stream_item item;
    routable_error *error = NULL;
    routable_status status;
    *out = '\0';
    while ((status = routable_stream_next(stream, 20000, &item, &error)) == ROUTABLE_OK)
        show(out, capacity, kind, &item);
    if (error) {
        print_message("           %s\n", message_of(error));
        routable_error_free(error);
    }
    return status;
}

static void events(void **state)
{
    routable_stream_options options = ROUTABLE_STREAM_OPTIONS_INIT;
    routable_stream *stream;
    routable_response *response = NULL;
    char got[1024];
    (void)state;
    options.kind = ROUTABLE_STREAM_EVENTS;
    stream = open_stream("events/plain", &options, NULL);
    assert_int_equal(routable_stream_response(stream, 20000, &response, NULL), ROUTABLE_OK);
    assert_int_equal(routable_response_status(response), 200);
    check_text("type", routable_response_header(response, "content-type"), "text/event-stream; charset=utf-8");
    assert_int_equal(routable_response_body(response).len, 0);
    routable_response_free(response);
    assert_int_equal(read_all(stream, options.kind, got, sizeof got), ROUTABLE_IDLE);
    assert_string_equal(got, "message||one/add||two\nthree/message|7|/");
    assert_int_equal(read_all(stream, options.kind, got, sizeof got), ROUTABLE_IDLE); /* further calls return the same */
    assert_int_equal(routable_stream_cancel(stream), 0);
    routable_stream_free(stream);
    /* A response without a body also has a head. */
    stream = open_stream("faults/no-content", &options, NULL);
    assert_int_equal(routable_stream_response(stream, 20000, &response, NULL), ROUTABLE_OK);
    assert_int_equal(routable_response_status(response), 204);
    routable_response_free(response);
    assert_int_equal(read_all(stream, options.kind, got, sizeof got), ROUTABLE_IDLE);
    routable_stream_free(stream);
    /* A response that does not contain events. */
    stream = open_stream("events/json", &options, NULL);
    assert_int_equal(read_all(stream, options.kind, got, sizeof got), ROUTABLE_ERR_RESPONSE);
    routable_stream_free(stream);
}

/* Each new connection sends the id of the last event; 204 means that there are no more. */
static void events_that_go_on(void **state)
{
    routable_stream_options options = ROUTABLE_STREAM_OPTIONS_INIT;
    routable_stream *stream;
    char got[1024];
    (void)state;
    options.kind = ROUTABLE_STREAM_EVENTS;
    options.reconnects = 2;
    options.retry_ms = 10;
    options.last_event_id = routable_str_from("z");
    stream = open_stream("events/again", &options, NULL);
    assert_int_equal(read_all(stream, options.kind, got, sizeof got), ROUTABLE_IDLE);
    assert_string_equal(got, "from|z|z/message|a|1/from|a|a/message|b|2/from|b|b/message|b|3/");
    routable_stream_free(stream);
    /* After the maximum number of reconnects in a row, the failure is returned. */
    stream = open_stream("faults/nothing", &options, NULL);
    assert_int_equal(read_all(stream, options.kind, got, sizeof got), ROUTABLE_ERR_TRANSFER);
    routable_stream_free(stream);
}

static void lines(void **state)
{
    routable_stream_options options = ROUTABLE_STREAM_OPTIONS_INIT;
    routable_stream *stream;
    char got[1024];
    (void)state;
    options.kind = ROUTABLE_STREAM_LINES;
    stream = open_stream("lines/3/2", &options, NULL);
    assert_int_equal(read_all(stream, options.kind, got, sizeof got), ROUTABLE_IDLE);
    assert_string_equal(got, "{\"n\":0,\"pad\":\"xx\"}/{\"n\":1,\"pad\":\"xx\"}/{\"n\":2,\"pad\":\"xx\"}/");
    routable_stream_free(stream);
    stream = open_stream("trickle/%7B%7D%0A1", &options, NULL);
    assert_int_equal(read_all(stream, options.kind, got, sizeof got), ROUTABLE_IDLE);
    assert_string_equal(got, "%7B%7D%0A1/"); /* a value is one segment, whatever it contains */
    routable_stream_free(stream);
    options.max_item_bytes = 100;
    stream = open_stream("lines/3/200", &options, NULL);
    assert_int_equal(read_all(stream, options.kind, got, sizeof got), ROUTABLE_ERR_LIMIT);
    routable_stream_free(stream);
}

static void what_came_before_a_failure_is_given_first(void **state)
{
    routable_stream_options options = ROUTABLE_STREAM_OPTIONS_INIT;
    routable_stream *stream;
    routable_response *response = NULL;
    routable_error *error = NULL;
    char got[1024];
    (void)state;
    stream = open_stream("faults/close-early", &options, NULL);
    assert_int_equal(read_all(stream, options.kind, got, sizeof got), ROUTABLE_ERR_TRANSFER);
    assert_string_equal(got, "{\"name\":\"a\"}/");
    routable_stream_free(stream);
    stream = open_stream("faults/not-found", &options, NULL);
    check_status("head", routable_stream_response(stream, -1, &response, &error), ROUTABLE_ERR_HTTP_STATUS, error);
    check_text("404", routable_response_body(routable_error_response(error)), "{\"name\":\"gone\"}");
    routable_error_free(error);
    assert_int_equal(read_all(stream, options.kind, got, sizeof got), ROUTABLE_ERR_HTTP_STATUS);
    routable_stream_free(stream);
}

static size_t taken_of_endless(void)
{
    char body[64];
    assert_int_equal(perform_as(0, request_of("get", "taken"), NULL, NULL, body, sizeof body), ROUTABLE_OK);
    return (size_t)atol(body);
}

/* A reader that does not read: the service can only send as much as the buffers hold. */
static void a_slow_reader_makes_the_connection_wait(void **state)
{
    routable_stream_options options = ROUTABLE_STREAM_OPTIONS_INIT;
    routable_stream *stream = open_stream("endless", &options, NULL);
    routable_stream_item item;
    size_t count = 0, before, after, i;
    (void)state;
    assert_int_equal(routable_stream_next(stream, 20000, &item, NULL), ROUTABLE_OK);
    for (i = 0; i < 50; i++)
        assert_int_equal(routable_client_drive(client, 10, NULL, NULL), ROUTABLE_OK);
    before = taken_of_endless();
    for (i = 0; i < 20; i++)
        assert_int_equal(routable_client_drive(client, 10, NULL, NULL), ROUTABLE_OK);
    after = taken_of_endless();
    assert_int_equal(before, after);
    assert_true(after < 32u << 20);
    while (count < 64u << 20) { /* and then it continues */
        assert_int_equal(routable_stream_next(stream, 20000, &item, NULL), ROUTABLE_OK);
        count += item.data.len;
    }
    assert_int_equal(routable_stream_cancel(stream), 1);
    for (i = 0; routable_stream_next(stream, 20000, &item, NULL) == ROUTABLE_OK; i++)
        assert_true(i < 1000); /* buffered items can still be read */
    assert_int_equal(routable_stream_next(stream, -1, &item, NULL), ROUTABLE_CANCELLED);
    routable_stream_free(stream);
}

static void timeouts(void **state)
{
    routable_policy policy = ROUTABLE_POLICY_INIT;
    routable_stream *stream = open_stream("faults/never", NULL, NULL);
    routable_stream_item item;
    routable_response *response = NULL;
    routable_error *error = NULL;
    (void)state;
    assert_int_equal(routable_stream_next(stream, 0, &item, NULL), ROUTABLE_PENDING);
    assert_int_equal(routable_stream_next(stream, 20, &item, NULL), ROUTABLE_PENDING);
    assert_int_equal(routable_stream_response(stream, 20, &response, NULL), ROUTABLE_PENDING);
    routable_stream_free(stream);
    policy.deadline_ms = patience(200);
    stream = open_stream("faults/half", NULL, &policy);
    assert_int_equal(routable_stream_next(stream, 20000, &item, NULL), ROUTABLE_OK);
    check_text("half", item.data, "{\"name\":\"a\"}");
    check_status("half", routable_stream_next(stream, 20000, &item, &error), ROUTABLE_ERR_TIMEOUT, error);
    routable_error_free(error);
    routable_stream_free(stream);
}

static void a_client_that_ends_first(void **state)
{
    routable_client *other = NULL;
    routable_request *const request = request_of("get", "endless");
    routable_stream *stream = NULL;
    routable_stream_item item;
    (void)state;
    assert_int_equal(routable_client_new(NULL, &other, NULL), ROUTABLE_OK);
    assert_int_equal(routable_stream_open(other, request, NULL, NULL, &stream, NULL), ROUTABLE_OK);
    routable_request_free(request);
    assert_int_equal(routable_stream_next(stream, 20000, &item, NULL), ROUTABLE_OK);
    routable_client_free(other);
    while (routable_stream_next(stream, -1, &item, NULL) == ROUTABLE_OK) {
    }
    assert_int_equal(routable_stream_next(stream, -1, &item, NULL), ROUTABLE_CANCELLED);
    routable_stream_free(stream);
}

/* --- Media types --- */

static void media_types(void **state)
{
    static const struct { const char *text, *expected; } rows[] = {
        { "Text/HTML; Charset=UTF-8", "text/html;charset=UTF-8" }, { "a/b;c=\"d e\"", "a/b;c=\"d e\"" }, { "a/", NULL },
        { " a/b ", "a/b" }, { "a", NULL },
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        routable_string text = { NULL, 0 };
        routable_error *error = NULL;
        check_status(rows[i].text, routable_media_type_normalize(routable_str_from(rows[i].text), &text, &error),
            rows[i].expected ? ROUTABLE_OK : ROUTABLE_ERR_VALUE, error);
        if (rows[i].expected)
            assert_string_equal(text.ptr, rows[i].expected);
        routable_error_free(error);
        routable_string_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_items_whatever_the_pieces),
        cmocka_unit_test(an_item_that_is_too_large),
        cmocka_unit_test(events),
        cmocka_unit_test(events_that_go_on),
        cmocka_unit_test(lines),
        cmocka_unit_test(what_came_before_a_failure_is_given_first),
        cmocka_unit_test(a_slow_reader_makes_the_connection_wait),
        cmocka_unit_test(timeouts),
        cmocka_unit_test(a_client_that_ends_first),
        cmocka_unit_test(media_types),
    };
    return cmocka_run_group_tests_name("streams", tests, start_bodies, stop_bodies);
}
