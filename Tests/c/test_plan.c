/* Plans: the same URL as a request, exact buffer sizes, and no allocation. */
#define _GNU_SOURCE
#include "counting.h"
#include "social.h"

#include <ctype.h>
#include <sys/mman.h>
#include <time.h>

static routable_plan *plan_of(const char *route, const char *operation)
{
    routable_plan *plan = NULL;
    routable_error *error = NULL;
    check_status(operation, routable_plan_new(social, route, operation, &plan, &error), ROUTABLE_OK, error);
    return plan;
}

static void no_allocation(void **state)
{
    static const char url[] = "https://api.example.com/v1/users/init%20Fabian/statuses/3/comments/-5/users/%C3%A9%2F";
    const routable_value ids[] = { routable_value_string("init Fabian"), routable_value_string("3"), routable_value_integer(-5),
        routable_value_string("\xC3\xA9/") };
    const routable_value query[] = { routable_value_string("a b&c"), routable_value_integer(2) };
    routable_plan *const walk = plan_of("user.status.comment.user", "read"), *const search = plan_of(NULL, "search");
    char buffer[256];
    size_t length = 0, turn;
    routable_status status[3] = { 0, 0, 0 };
    (void)state;
    if (!can_count()) {
        print_message("allocations cannot be counted here\n");
        routable_plan_free(walk);
        routable_plan_free(search);
        skip();
    }
    allocations = 0;
    /* A buffer that is too small requires a copy, so this call is not counted. */
    status[1] = routable_plan_write(walk, ids, 4, NULL, 0, buffer, 3, &length, NULL);
    counting = 1;
    for (turn = 0; turn < 100; turn++) {
        status[0] |= routable_plan_write(search, NULL, 0, query, 2, buffer, sizeof buffer, &length, NULL);
        status[2] |= routable_plan_write(walk, ids, 4, NULL, 0, buffer, sizeof buffer, &length, NULL);
    }
    counting = 0;
    assert_int_equal(status[0], ROUTABLE_OK);
    assert_int_equal(status[1], ROUTABLE_ERR_BUFFER);
    assert_int_equal(status[2], ROUTABLE_OK);
    assert_string_equal(buffer, url);
    check_size("length", length, strlen(url));
    check_size("allocations of 200 URLs", allocations, 0);
    routable_plan_free(walk);
    routable_plan_free(search);
}

/* A real number is formatted separately. */
static void no_allocation_for_reals(void **state)
{
    const routable_value id = routable_value_real(0.1);
    routable_plan *const plan = plan_of("user", "read");
    char buffer[128];
    size_t length = 0;
    routable_status status;
    (void)state;
    allocations = 0;
    counting = 1;
    status = routable_plan_write(plan, &id, 1, NULL, 0, buffer, sizeof buffer, &length, NULL);
    counting = 0;
    assert_int_equal(status, ROUTABLE_OK);
    assert_string_equal(buffer, "https://api.example.com/v1/users/0.1");
    check_size("allocations", allocations, 0);
    routable_plan_free(plan);
}

static void buffer_sizes(void **state)
{
    static const char url[] = "https://api.example.com/v1/users/a%20b";
    const routable_value id = routable_value_string("a b");
    routable_plan *const plan = plan_of("user", "read");
    const size_t needed = strlen(url);
    size_t capacity;
    (void)state;
    for (capacity = 0; capacity <= needed + 2; capacity++) {
        char *const buffer = (char *)malloc(capacity + 1); /* the last byte is not part of the buffer */
        size_t length = 0;
        routable_error *error = NULL;
        const routable_status status = (buffer[capacity] = '#',
            routable_plan_write(plan, &id, 1, NULL, 0, capacity ? buffer : NULL, capacity, &length, &error));
        check_size("the length is told in both cases", length, needed);
        if (buffer[capacity] != '#')
            fail_msg("capacity %zu: wrote beyond it", capacity);
        if (capacity > needed) {
            check_status(url, status, ROUTABLE_OK, error);
            assert_string_equal(buffer, url);
        } else {
            assert_int_equal(status, ROUTABLE_ERR_BUFFER);
        }
        routable_error_free(error);
        free(buffer);
    }
    routable_plan_free(plan);
}

static void queries(void **state)
{
    routable_plan *const plan = plan_of(NULL, "search");
    routable_value query[3];
    char buffer[256] = "as it was";
    size_t length = 0;
    routable_error *error = NULL;
    (void)state;
    check_size("query", routable_plan_query_count(plan), 2);
    check_text("query", routable_plan_query_name_at(plan, 0), "q");
    check_text("query", routable_plan_query_name_at(plan, 1), "page");
    check_text("query", routable_plan_query_name_at(plan, 2), "");

    memset(query, 0, sizeof query);
    check_status("q is required", routable_plan_write(plan, NULL, 0, query, 2, buffer, sizeof buffer, &length, &error),
        ROUTABLE_ERR_PARAMETER, error);
    check_text("q is required", routable_error_parameter(error), "q");
    check_text("a refused URL leaves the empty text", routable_str_from(buffer), "");
    routable_error_free(error);
    check_status("none given", routable_plan_write(plan, NULL, 0, NULL, 0, buffer, sizeof buffer, &length, &error),
        ROUTABLE_ERR_PARAMETER, error);
    routable_error_free(error);

    query[0] = routable_value_string("x");
    check_status("default", routable_plan_write(plan, NULL, 0, query, 1, buffer, sizeof buffer, &length, &error),
        ROUTABLE_OK, error);
    assert_string_equal(buffer, "https://api.example.com/v1/search?q=x&page=1");
    query[1] = routable_value_integer(9);
    check_status("both", routable_plan_write(plan, NULL, 0, query, 2, buffer, sizeof buffer, &length, &error),
        ROUTABLE_OK, error);
    assert_string_equal(buffer, "https://api.example.com/v1/search?q=x&page=9");
    check_status("surplus", routable_plan_write(plan, NULL, 0, query, 3, buffer, sizeof buffer, &length, &error),
        ROUTABLE_ERR_PARAMETER, error);
    routable_error_free(error);
    routable_plan_free(plan);
}

static void ids(void **state)
{
    const routable_value two[] = { routable_value_string("a"), routable_value_string("b") };
    routable_plan *const plan = plan_of("user", "read");
    char buffer[64];
    size_t length = 0;
    routable_error *error = NULL;
    (void)state;
    check_status("none", routable_plan_write(plan, NULL, 0, NULL, 0, buffer, sizeof buffer, &length, &error),
        ROUTABLE_ERR_ID, error);
    check_text("none", routable_error_parameter(error), "username");
    routable_error_free(error);
    check_status("two", routable_plan_write(plan, two, 2, NULL, 0, buffer, sizeof buffer, &length, &error),
        ROUTABLE_ERR_ID, error);
    routable_error_free(error);
    routable_plan_free(plan);
}

static void unknown(void **state)
{
    routable_plan *plan = NULL;
    routable_error *error = NULL;
    (void)state;
    check_status("route", routable_plan_new(social, "usr", "read", &plan, &error), ROUTABLE_ERR_UNKNOWN, error);
    check_text("route", routable_error_suggestion(error), "user");
    routable_error_free(error);
    check_status("operation", routable_plan_new(social, "user", "raed", &plan, &error), ROUTABLE_ERR_NOT_ALLOWED, error);
    check_text("operation", routable_error_suggestion(error), "read");
    routable_error_free(error);
    check_status("free", routable_plan_new(social, NULL, "serch", &plan, &error), ROUTABLE_ERR_UNKNOWN, error);
    check_text("free", routable_error_suggestion(error), "search");
    routable_error_free(error);
    check_status("refused", routable_plan_new(social, "user", "delete", &plan, &error), ROUTABLE_ERR_NOT_ALLOWED, error);
    check_allowed("refused", error, "create list read update");
    routable_error_free(error);
    assert_null(plan);
}

/* --- Values of each length, with unreadable pages before and after them, into buffers of the same kind --- */

enum { PAGE = 4096, LONGEST = 80 };

/* A page between two inaccessible ones. */
static unsigned char *guarded_page(void)
{
    unsigned char *const all = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(all, MAP_FAILED);
    assert_int_equal(mprotect(all, PAGE, PROT_NONE), 0);
    assert_int_equal(mprotect(all + 2 * PAGE, PAGE, PROT_NONE), 0);
    return all + PAGE;
}

/* Unicode table 3-7. */
static int is_utf8(const unsigned char *text, size_t count)
{
    size_t at = 0;
    while (at < count) {
        const unsigned char first = text[at];
        const size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
        if (length == 0 || length > count - at)
            return 0;
        for (size_t more = 1; more < length; more++)
            if ((text[at + more] & 0xC0) != 0x80)
                return 0;
        if ((first == 0xE0 && text[at + 1] < 0xA0) || (first == 0xED && text[at + 1] > 0x9F) ||
            (first == 0xF0 && text[at + 1] < 0x90) || (first == 0xF4 && text[at + 1] > 0x8F))
            return 0;
        at += length;
    }
    return 1;
}

static size_t encoded(const unsigned char *text, size_t count, char *out)
{
    char *const start = out;
    for (size_t at = 0; at < count; at++)
        if ((text[at] < 0x80 && isalnum(text[at])) || (text[at] && strchr("-._~", text[at])))
            *out++ = (char)text[at];
        else
            out += sprintf(out, "%%%02X", text[at]);
    *out = 0;
    return (size_t)(out - start);
}

static void fill_by_chance(unsigned char *text, size_t count)
{
    static const char *const pieces[] = { "a", "Z", "0", "-", ".", "_", "~", "/", "%", " ", "\x7F", "@", "`", "{", "[", ":",
        "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF", "\xDF\xBF", "\xE0\xA0\x80" };
    const int bad = rand() % 4 == 0;
    size_t at = 0;
    while (at < count) {
        const char *const piece = pieces[rand() % (int)(sizeof pieces / sizeof *pieces)];
        const size_t length = strlen(piece);
        if (length > count - at)
            text[at++] = 'x';
        else
            for (size_t more = 0; more < length; more++) text[at++] = (unsigned char)piece[more];
    }
    if (bad && count > 0)
        text[(size_t)rand() % count] = (unsigned char)(rand() % 255 + 1);
}

static void values_between_guards(void **state)
{
    static const char head[] = "https://api.example.com/v1/users/";
    unsigned char *const from = guarded_page(), *const to = guarded_page();
    routable_plan *const plan = plan_of("user", "read");
    const unsigned seed = (unsigned)time(NULL);
    size_t refused = 0;
    (void)state;
    print_message("seed %u\n", seed);
    srand(seed);
    for (int turn = 0; turn < 60000; turn++) {
        const size_t count = (size_t)turn % LONGEST + 1;
        unsigned char *const text = turn & 1 ? from : from + PAGE - count;
        char expected[sizeof head + 3 * LONGEST + 1];
        size_t length = 0, full;
        routable_value id;
        fill_by_chance(text, count);
        if (count < 3 && text[0] == '.')
            text[0] = 'x';
        id = routable_value_str((routable_str) { (const char *)text, count });
        memcpy(expected, head, sizeof head);
        full = sizeof head - 1 + encoded(text, count, expected + sizeof head - 1);
        /* The exact size, a little more, and the whole space of the usual case. */
        for (size_t spare = 1; spare < 1200; spare = spare * 4 + 5) {
            char *const buffer = (char *)to + PAGE - full - spare;
            const routable_status status = routable_plan_write(plan, &id, 1, NULL, 0, buffer, full + spare, &length, NULL);
            if (!is_utf8(text, count)) {
                assert_int_equal(status, ROUTABLE_ERR_VALUE);
                refused++;
                continue;
            }
            check_status("a value", status, ROUTABLE_OK, NULL);
            check_size("length", length, full);
            assert_string_equal(buffer, expected);
        }
    }
    assert_true(refused > 1000);
    routable_plan_free(plan);
    munmap(from - PAGE, 3 * PAGE);
    munmap(to - PAGE, 3 * PAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_allocation),
        cmocka_unit_test(no_allocation_for_reals),
        cmocka_unit_test(buffer_sizes),
        cmocka_unit_test(queries),
        cmocka_unit_test(ids),
        cmocka_unit_test(values_between_guards),
        cmocka_unit_test(unknown),
    };
    return cmocka_run_group_tests_name("plan", tests, open_router, close_router);
}
