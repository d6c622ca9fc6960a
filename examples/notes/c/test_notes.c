/* test_notes.c - tests of the application without a network: canned responses by operation, faults, and what was sent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "notes.h"

static routable_router *api;
static routable_responses *responses;
static routable_client *client;
static notes it;
static char text[100];

static int open_api(void **state)
{
    (void)state;
    return routable_router_open_file(NOTES_JSON, NULL, &api, NULL) != ROUTABLE_OK;
}

static int close_api(void **state)
{
    (void)state;
    routable_router_free(api);
    return 0;
}

static int start(void **state)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    (void)state;
    if (routable_responses_new(&responses, NULL) != ROUTABLE_OK)
        return 1;
    options.transport = routable_responses_answer;
    options.transport_user_data = responses;
    options.retries = 2;
    options.retry_delay_ms = 1;
    if (routable_client_new(&options, &client, NULL) != ROUTABLE_OK)
        return 1;
    it.api = api;
    it.client = client;
    text[0] = 0;
    return 0;
}

/* Fails a test that sent what nobody expected, or did not use a response. */
static int stop(void **state)
{
    const routable_status status = routable_responses_check(responses, NULL);
    (void)state;
    routable_client_free(client);
    routable_responses_free(responses);
    return status != ROUTABLE_OK;
}

static const char note[] = "{\"id\":\"7\",\"text\":\"tea\"}";

static void add(const char *operation, int32_t http_status, const char *body, const char *name, const char *value, int32_t code, int32_t times)
{
    routable_canned canned = ROUTABLE_CANNED_INIT;
    routable_reply reply = ROUTABLE_REPLY_INIT;
    routable_header header = ROUTABLE_HEADER_INIT;
    reply.http_status = http_status;
    reply.body = routable_str_from(body);
    reply.curl_code = code;
    if (name) {
        header.name = routable_str_from(name);
        header.value = routable_str_from(value);
        reply.headers = &header;
        reply.header_count = 1;
    }
    canned.operation = operation;
    canned.reply = &reply;
    canned.times = times;
    assert_int_equal(routable_responses_add(responses, &canned, NULL), ROUTABLE_OK);
}

static void answer(const char *operation, int32_t http_status, const char *body) { add(operation, http_status, body, NULL, NULL, 0, 1); }
static void break_down(int32_t code, int32_t times) { add(NULL, 0, "", NULL, NULL, code, times); }
static size_t sent(void) { return routable_responses_request_count(responses); }
static const char *sent_url(size_t index) { return routable_exchange_url(routable_responses_request_at(responses, index)).ptr; }
static notes_complaint read_it(void) { return notes_read(&it, "7", text, sizeof text); }

static void a_note_is_read(void **state)
{
    (void)state;
    answer("read", 200, note);
    assert_int_equal(read_it(), NOTES_OK);
    assert_string_equal(text, "tea");
    assert_string_equal(sent_url(0), "https://notes.example/v1/notes/7");
}

static void a_blank_in_an_id(void **state)
{
    (void)state;
    answer("read", 200, note);
    assert_int_equal(notes_read(&it, "a b", text, sizeof text), NOTES_OK);
    assert_string_equal(sent_url(0), "https://notes.example/v1/notes/a%20b");
}

static void a_slash_in_an_id(void **state)
{
    (void)state;
    answer("read", 200, note);
    assert_int_equal(notes_read(&it, "a/b", text, sizeof text), NOTES_OK);
    assert_string_equal(sent_url(0), "https://notes.example/v1/notes/a%2Fb");
}

static void a_letter_beyond_ascii(void **state)
{
    (void)state;
    answer("read", 200, note);
    assert_int_equal(notes_read(&it, "\xC3\xA4", text, sizeof text), NOTES_OK);
    assert_string_equal(sent_url(0), "https://notes.example/v1/notes/%C3%A4");
}

static void status_401(void **state)
{
    (void)state;
    answer("read", 401, "");
    assert_int_equal(read_it(), NOTES_SIGN_IN);
}

static void status_403(void **state)
{
    (void)state;
    answer("read", 403, "");
    assert_int_equal(read_it(), NOTES_SIGN_IN);
}

static void status_404(void **state)
{
    (void)state;
    answer("read", 404, "");
    assert_int_equal(read_it(), NOTES_GONE);
}

static void status_410(void **state)
{
    (void)state;
    answer("read", 410, "");
    assert_int_equal(read_it(), NOTES_GONE);
}

static void status_429(void **state)
{
    (void)state;
    answer("read", 429, "");
    assert_int_equal(read_it(), NOTES_BUSY);
}

static void status_418(void **state)
{
    (void)state;
    answer("read", 418, "");
    assert_int_equal(read_it(), NOTES_OTHER);
}

static void no_such_host(void **state)
{
    (void)state;
    break_down(6, ROUTABLE_NONE);
    assert_int_equal(read_it(), NOTES_OFFLINE);
}

static void connection_refused(void **state)
{
    (void)state;
    break_down(7, ROUTABLE_NONE);
    assert_int_equal(read_it(), NOTES_OFFLINE);
}

static void connection_reset(void **state)
{
    (void)state;
    break_down(56, ROUTABLE_NONE);
    assert_int_equal(read_it(), NOTES_OFFLINE);
}

static void tls_failed(void **state)
{
    (void)state;
    break_down(35, ROUTABLE_NONE);
    assert_int_equal(read_it(), NOTES_OFFLINE);
}

static void too_slow(void **state)
{
    (void)state;
    break_down(28, ROUTABLE_NONE);
    assert_int_equal(read_it(), NOTES_TOO_SLOW);
}

static void an_empty_body(void **state)
{
    (void)state;
    answer("read", 200, "");
    assert_int_equal(read_it(), NOTES_OTHER);
    assert_string_equal(text, "");
}

static void an_array(void **state)
{
    (void)state;
    answer("read", 200, "[]");
    assert_int_equal(read_it(), NOTES_OTHER);
    assert_string_equal(text, "");
}

static void no_json(void **state)
{
    (void)state;
    answer("read", 200, "{");
    assert_int_equal(read_it(), NOTES_OTHER);
    assert_string_equal(text, "");
}

static void an_id_that_is_no_text(void **state)
{
    (void)state;
    answer("read", 200, "{\"id\":7}");
    assert_int_equal(read_it(), NOTES_OTHER);
    assert_string_equal(text, "");
}

static void one_retry(void **state)
{
    (void)state;
    break_down(56, 1);
    answer("read", 200, note);
    assert_int_equal(read_it(), NOTES_OK);
    assert_int_equal(sent(), 2);
}

static void two_retries(void **state)
{
    (void)state;
    break_down(56, 2);
    answer("read", 200, note);
    assert_int_equal(read_it(), NOTES_OK);
    assert_int_equal(sent(), 3);
}

static void a_note_is_added(void **state)
{
    (void)state;
    add("create", 201, note, "Location", "/v1/notes/7", 0, 1);
    answer("read", 200, note);
    assert_int_equal(notes_add(&it, "tea", text, sizeof text), NOTES_OK);
    assert_string_equal(text, "tea");
    assert_string_equal(routable_exchange_body(routable_responses_request_at(responses, 0)).ptr, "{\"text\":\"tea\"}");
}

static void a_creation_is_not_repeated(void **state)
{
    (void)state;
    break_down(56, 1);
    assert_int_equal(notes_add(&it, "tea", text, sizeof text), NOTES_OFFLINE);
    assert_int_equal(sent(), 1);
}

static void a_creation_without_a_location(void **state)
{
    (void)state;
    answer("create", 201, note);
    assert_int_equal(notes_add(&it, "tea", text, sizeof text), NOTES_OTHER);
}

static void an_empty_text_is_not_sent(void **state)
{
    (void)state;
    assert_int_equal(notes_add(&it, "", text, sizeof text), NOTES_EMPTY_TEXT);
    assert_int_equal(notes_edit(&it, "7", "", "\"v\""), NOTES_EMPTY_TEXT);
    assert_int_equal(sent(), 0);
}

static void an_edit_names_the_version(void **state)
{
    (void)state;
    answer("update", 200, note);
    assert_int_equal(notes_edit(&it, "7", "x", "\"v7\""), NOTES_OK);
    assert_string_equal(routable_exchange_header(routable_responses_request_at(responses, 0), "If-Match").ptr, "\"v7\"");
}

static void an_edit_of_a_changed_note(void **state)
{
    (void)state;
    answer("update", 412, "");
    assert_int_equal(notes_edit(&it, "7", "x", "\"v7\""), NOTES_CHANGED);
}

static void a_removal_with_204(void **state)
{
    (void)state;
    answer("delete", 204, "");
    assert_int_equal(notes_remove(&it, "7"), NOTES_OK);
}

static void a_removal_with_404(void **state)
{
    (void)state;
    answer("delete", 404, "");
    assert_int_equal(notes_remove(&it, "7"), NOTES_OK);
}

static void a_removal_with_403(void **state)
{
    (void)state;
    answer("delete", 403, "");
    assert_int_equal(notes_remove(&it, "7"), NOTES_SIGN_IN);
}

static void notes_of_all_pages(void **state)
{
    (void)state;
    size_t count = 0;
    add("list", 200, "[{\"id\":\"1\",\"text\":\"a\"},{\"id\":\"2\",\"text\":\"b\"}]", "Link", "</v1/notes?page=2>; rel=next", 0, 1);
    answer("list", 200, "[{\"id\":\"3\",\"text\":\"c\"}]");
    assert_int_equal(notes_count(&it, &count), NOTES_OK);
    assert_int_equal(count, 3);
    assert_string_equal(sent_url(1), "https://notes.example/v1/notes?page=2");
}

static void a_page_that_fails(void **state)
{
    (void)state;
    size_t count = 5;
    answer("list", 403, "");
    assert_int_equal(notes_count(&it, &count), NOTES_SIGN_IN);
    assert_int_equal(count, 5);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, start, stop)

/* With a mock in place of the service. */

static int start_mock(void **state)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_mock *mock = NULL;
    if (routable_mock_new(api, NULL, &mock, NULL) != ROUTABLE_OK)
        return 1;
    options.transport = routable_mock_answer;
    options.transport_user_data = mock;
    if (routable_client_new(&options, &client, NULL) != ROUTABLE_OK)
        return 1;
    *state = mock;
    it.api = api;
    it.client = client;
    return 0;
}

static int stop_mock(void **state)
{
    routable_client_free(client);
    routable_mock_free(*state);
    return 0;
}

static void with_a_mock(void **state)
{
    size_t count = 0;
    int number;
    for (number = 0; number < 60; number++)
        assert_int_equal(notes_add(&it, number == 6 ? "tea" : "x", text, sizeof text), NOTES_OK);
    assert_int_equal(notes_read(&it, "7", text, sizeof text), NOTES_OK);
    assert_string_equal(text, "tea");
    assert_int_equal(notes_count(&it, &count), NOTES_OK); /* two pages */
    assert_int_equal(count, 60);
    assert_int_equal(routable_mock_count(*state), 60);
    assert_int_equal(notes_edit(&it, "7", "milk", "\"1\""), NOTES_OK);
    assert_int_equal(notes_read(&it, "7", text, sizeof text), NOTES_OK);
    assert_string_equal(text, "milk");
    assert_int_equal(notes_edit(&it, "7", "late", "\"1\""), NOTES_CHANGED);
    assert_int_equal(notes_remove(&it, "7"), NOTES_OK);
    assert_int_equal(notes_remove(&it, "7"), NOTES_OK);
    assert_int_equal(notes_read(&it, "7", text, sizeof text), NOTES_GONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_note_is_read),
        TEST(a_blank_in_an_id),
        TEST(a_slash_in_an_id),
        TEST(a_letter_beyond_ascii),
        TEST(status_401),
        TEST(status_403),
        TEST(status_404),
        TEST(status_410),
        TEST(status_429),
        TEST(status_418),
        TEST(no_such_host),
        TEST(connection_refused),
        TEST(connection_reset),
        TEST(tls_failed),
        TEST(too_slow),
        TEST(an_empty_body),
        TEST(an_array),
        TEST(no_json),
        TEST(an_id_that_is_no_text),
        TEST(one_retry),
        TEST(two_retries),
        TEST(a_note_is_added),
        TEST(a_creation_is_not_repeated),
        TEST(a_creation_without_a_location),
        TEST(an_empty_text_is_not_sent),
        TEST(an_edit_names_the_version),
        TEST(an_edit_of_a_changed_note),
        TEST(a_removal_with_204),
        TEST(a_removal_with_404),
        TEST(a_removal_with_403),
        TEST(notes_of_all_pages),
        TEST(a_page_that_fails),
        cmocka_unit_test_setup_teardown(with_a_mock, start_mock, stop_mock),
    };
    return cmocka_run_group_tests(tests, open_api, close_api);
}
