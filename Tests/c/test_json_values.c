/* routable_json_value.h: reads the values of a JSON document one by one. */
#include "support.h"

#include "routable_jansson.h"

#include <inttypes.h>
#include <math.h>

static routable_json_values *read_json(const char *text, size_t length)
{
    routable_json_values *json = NULL;
    routable_error *error = NULL;
    check_status(text, routable_json_values_read(text, length, &json, &error), ROUTABLE_OK, error);
    return json;
}

/* Several children in one call are equal to those of single calls, for every capacity. */
static void check_children(const routable_json_values *json, uint64_t container)
{
    routable_json_item items[9];
    size_t capacity;
    for (capacity = 1; capacity <= 9; capacity++) {
        uint64_t place = ROUTABLE_JSON_NOWHERE, last = ROUTABLE_JSON_NOWHERE;
        size_t count, index;
        do {
            count = routable_json_children(json, container, last, items, capacity);
            assert_true(count <= capacity);
            for (index = 0; index < count; index++) {
                const routable_str string = routable_json_string(json, items[index].place);
                place = routable_json_next(json, container, place);
                assert_true(items[index].place == place);
                assert_int_equal(items[index].kind, routable_json_kind_of(json, place));
                assert_true(items[index].key.len == routable_json_key(json, place).len);
                assert_memory_equal(items[index].key.ptr, routable_json_key(json, place).ptr, items[index].key.len);
                assert_true(items[index].count == routable_json_count(json, place));
                assert_ptr_equal(items[index].text.ptr, routable_json_text(json, place).ptr);
                assert_true(items[index].text.len == routable_json_text(json, place).len);
                assert_int_equal(
                    items[index].is_plain, items[index].kind == ROUTABLE_JSON_STRING && string.len + 2 == items[index].text.len);
                if (items[index].is_plain)
                    assert_memory_equal(items[index].text.ptr + 1, string.ptr, string.len);
                last = place;
            }
        } while (count == capacity);
        assert_true(routable_json_next(json, container, place) == ROUTABLE_JSON_NOWHERE);
    }
}

static void values(void **state)
{
    static const char text[] = " { \"a\" : [1, -2.5, \"x\\u00e9\\n\", true, false, null, 123456789012345678901],"
                               " \"b\\t\": {}, \"c\": 1, \"c\": \"last\", \"\": [] } ";
    routable_json_values *const json = read_json(text, ROUTABLE_NUL_TERMINATED);
    const uint64_t root = 0, list = routable_json_at(json, ROUTABLE_STR("/a"));
    uint64_t place;
    static const routable_json_kind kinds[] = { ROUTABLE_JSON_INTEGER, ROUTABLE_JSON_REAL, ROUTABLE_JSON_STRING,
        ROUTABLE_JSON_BOOLEAN, ROUTABLE_JSON_BOOLEAN, ROUTABLE_JSON_NULL, ROUTABLE_JSON_WIDE };
    static const char *const keys[] = { "a", "b\t", "c", "" };
    size_t index = 0;
    (void)state;
    assert_int_equal(routable_json_kind_of(json, root), ROUTABLE_JSON_OBJECT);
    assert_int_equal(routable_json_count(json, root), 4);
    assert_int_equal(routable_json_offset(json, root), 1);
    assert_int_equal(routable_json_count(json, list), 7);
    for (place = ROUTABLE_JSON_NOWHERE; (place = routable_json_next(json, list, place)) != ROUTABLE_JSON_NOWHERE; index++) {
        assert_int_equal(routable_json_kind_of(json, place), kinds[index]);
        assert_true(routable_json_element(json, list, index) == place);
        check_text(text, routable_json_key(json, place), "");
    }
    assert_int_equal(index, 7);
    for (index = 0, place = ROUTABLE_JSON_NOWHERE; (place = routable_json_next(json, root, place)) != ROUTABLE_JSON_NOWHERE; index++) {
        check_text(text, routable_json_key(json, place), keys[index]);
        assert_true(routable_json_member(json, root, routable_str_from(keys[index])) == place);
    }
    assert_int_equal(index, 4);
    check_children(json, root);
    check_children(json, list);
    assert_true(routable_json_integer(json, routable_json_element(json, list, 0)) == 1);
    assert_true(routable_json_number(json, routable_json_element(json, list, 0)) == 1);
    assert_true(routable_json_number(json, routable_json_element(json, list, 1)) == -2.5);
    check_text(text, routable_json_string(json, routable_json_element(json, list, 2)), "x\xC3\xA9\n");
    check_text(text, routable_json_text(json, routable_json_element(json, list, 2)), "\"x\\u00e9\\n\"");
    /* Each call returns the same memory. */
    assert_ptr_equal(routable_json_string(json, routable_json_element(json, list, 2)).ptr,
        routable_json_string(json, routable_json_at(json, ROUTABLE_STR("/a/2"))).ptr);
    assert_int_equal(routable_json_boolean(json, routable_json_element(json, list, 3)), 1);
    assert_int_equal(routable_json_boolean(json, routable_json_element(json, list, 4)), 0);
    check_text(text, routable_json_text(json, routable_json_element(json, list, 6)), "123456789012345678901");
    assert_true(routable_json_number(json, routable_json_element(json, list, 6)) == 123456789012345678901.0);
    check_text(text, routable_json_string(json, routable_json_member(json, root, ROUTABLE_STR("c"))), "last");
    check_text(text, routable_json_text(json, routable_json_at(json, ROUTABLE_STR("/b\t"))), "{}");
    assert_true(routable_json_at(json, ROUTABLE_STR("")) == root);
    assert_true(routable_json_at(json, ROUTABLE_STR("/a/7")) == ROUTABLE_JSON_NOWHERE);
    assert_true(routable_json_at(json, ROUTABLE_STR("/a/01")) == ROUTABLE_JSON_NOWHERE);
    assert_true(routable_json_at(json, ROUTABLE_STR("/a/-1")) == ROUTABLE_JSON_NOWHERE);
    assert_true(routable_json_at(json, ROUTABLE_STR("a")) == ROUTABLE_JSON_NOWHERE);
    assert_true(routable_json_at(json, ROUTABLE_STR("/a/0/x")) == ROUTABLE_JSON_NOWHERE);
    routable_json_values_free(json);
}

static void no_places(void **state)
{
    static const char text[] = "[{\"a\":[\"b\\n\"]},{},\"c\"]";
    routable_json_values *const json = read_json(text, sizeof text - 1);
    routable_json_item item;
    uint64_t place;
    (void)state;
    assert_int_equal(routable_json_kind_of(NULL, 0), ROUTABLE_JSON_NONE);
    assert_int_equal(routable_json_kind_of(json, ROUTABLE_JSON_NOWHERE), ROUTABLE_JSON_NONE);
    assert_true(routable_json_next(NULL, 0, ROUTABLE_JSON_NOWHERE) == ROUTABLE_JSON_NOWHERE);
    assert_int_equal(routable_json_children(NULL, 0, ROUTABLE_JSON_NOWHERE, &item, 1), 0);
    assert_int_equal(routable_json_children(json, 0, ROUTABLE_JSON_NOWHERE, NULL, 1), 0);
    assert_int_equal(routable_json_children(json, 0, ROUTABLE_JSON_NOWHERE, &item, 0), 0);
    assert_true(routable_json_offset(json, ROUTABLE_JSON_NOWHERE) == ROUTABLE_NONE);
    /* Numbers that are not places, and places of other kinds. */
    for (place = 1; place < 4096; place++) {
        routable_json_item items[4];
        const uint64_t made_up = (place & 63) | (place >> 6 & 31) << 32 | (place & 2048 ? UINT64_C(1) << 63 : 0);
        (void)routable_json_string(json, made_up);
        (void)routable_json_text(json, made_up);
        (void)routable_json_key(json, made_up);
        (void)routable_json_next(json, made_up, made_up);
        (void)routable_json_next(json, 0, made_up);
        (void)routable_json_children(json, made_up, ROUTABLE_JSON_NOWHERE, items, 4);
        assert_true(routable_json_children(json, 0, made_up, items, 4) <= 4);
        (void)routable_json_member(json, made_up, ROUTABLE_STR("a"));
    }
    routable_json_values_free(json);
    routable_json_values_free(NULL);
}

static void refused(void **state)
{
    routable_json_values *json = NULL;
    routable_error *error = NULL;
    (void)state;
    assert_int_equal(routable_json_values_read("[1,\n2,]", 7, &json, &error), ROUTABLE_ERR_JSON);
    assert_null(json);
    assert_true(routable_error_offset(error) == 6);
    assert_int_equal(routable_error_line(error), 2);
    routable_error_free(error);
    assert_int_equal(routable_json_values_read("1", 1, NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_json_values_read(NULL, 1, &json, NULL), ROUTABLE_ERR_ARGUMENT);
}

/* A document of n, 2n and 4n elements needs memory and time in proportion, also large objects, whose keys are compared. */
static void of_any_size(void **state)
{
    size_t members;
    (void)state;
    for (members = 1000; members <= 64000; members *= 4) {
        char *const text = (char *)malloc(members * 24 + 2);
        size_t length = 0, index;
        routable_json_values *json;
        text[length++] = '{';
        for (index = 0; index < members; index++)
            length += (size_t)sprintf(text + length, "%s\"key-%zu\":%zu", index ? "," : "", index % (members - 10), index);
        text[length++] = '}';
        json = read_json(text, length);
        assert_int_equal(routable_json_count(json, 0), members - 10);
        assert_true(routable_json_integer(json, routable_json_member(json, 0, ROUTABLE_STR("key-3"))) == (int64_t)members - 7);
        routable_json_values_free(json);
        free(text);
    }
}

/* Skips digits; NULL if there is none. */
static const char *behind_digits(const char *at)
{
    const char *const start = at;
    while (*at >= '0' && *at <= '9')
        at++;
    return at == start ? NULL : at;
}

/* The kind of a number by the grammar of RFC 8259, section 6; NONE if it is not a number. */
static routable_json_kind kind_by_grammar(const char *at)
{
    const int is_negative = *at == '-';
    const char *const digits = at + is_negative;
    const char *const end = behind_digits(digits);
    if (!end || (*digits == '0' && end != digits + 1))
        return ROUTABLE_JSON_NONE;
    if (!*end) {
        const size_t count = (size_t)(end - digits);
        const char *const most = is_negative ? "9223372036854775808" : "9223372036854775807";
        return count < 19 || (count == 19 && memcmp(digits, most, 19) <= 0) ? ROUTABLE_JSON_INTEGER : ROUTABLE_JSON_WIDE;
    }
    at = end;
    if (*at == '.' && !(at = behind_digits(at + 1)))
        return ROUTABLE_JSON_NONE;
    if (*at == 'e' || *at == 'E') {
        at += at[1] == '-' || at[1] == '+' ? 2 : 1;
        if (!(at = behind_digits(at)))
            return ROUTABLE_JSON_NONE;
    }
    return *at ? ROUTABLE_JSON_NONE : isinf(strtod(digits, NULL)) ? ROUTABLE_JSON_WIDE : ROUTABLE_JSON_REAL;
}

/* Reads one number, with other bytes before and after it, in a block that ends with the JSON. */
static void check_number(const char *number, const char *before, const char *behind)
{
    const size_t length = strlen(before) + strlen(number) + strlen(behind);
    char *const text = (char *)malloc(length + 1), *const block = (char *)malloc(length);
    const routable_json_kind expected = kind_by_grammar(number);
    routable_json_values *json = NULL;
    routable_status status;
    assert_non_null(text);
    assert_non_null(block);
    sprintf(text, "%s%s%s", before, number, behind);
    memcpy(block, text, length);
    status = routable_json_values_read(block, length, &json, NULL);
    if (status != (expected == ROUTABLE_JSON_NONE ? ROUTABLE_ERR_JSON : ROUTABLE_OK))
        fail_msg("%s: expected %s, got status %d", text, expected == ROUTABLE_JSON_NONE ? "json" : "ok", (int)status);
    if (status == ROUTABLE_OK) {
        const uint64_t place = *before == '[' ? routable_json_element(json, 0, 1) : 0;
        if (routable_json_kind_of(json, place) != expected)
            fail_msg("%s: expected kind %d, got %d", text, (int)expected, (int)routable_json_kind_of(json, place));
        check_text(text, routable_json_text(json, place), number);
        if (expected == ROUTABLE_JSON_REAL && routable_json_number(json, place) != strtod(number, NULL))
            fail_msg("%s: got %.17g", text, routable_json_number(json, place));
        if (expected == ROUTABLE_JSON_INTEGER && routable_json_integer(json, place) != strtoll(number, NULL, 10))
            fail_msg("%s: got %" PRId64, text, routable_json_integer(json, place));
    }
    routable_json_values_free(json);
    free(block);
    free(text);
}

/* Numbers of each length around the number of digits that are read together, and near the end of the JSON. */
static void numbers(void **state)
{
    static const char spaces[] = "                                        ", letters[] = "0123456789.-+eE";
    uint32_t seed = 20261123;
    int whole, fraction, sign, round;
    (void)state;
    for (whole = 1; whole <= 40; whole++) {
        for (fraction = 0; fraction <= 40; fraction++) {
            for (sign = 0; sign < 2; sign++) {
                char number[96], behind[64];
                snprintf(number, sizeof number, "%s%.*s%s%.*s", sign ? "-" : "", whole, "9012345678901234567890123456789012345678",
                    fraction ? "." : "", fraction, "0123456789012345678901234567890123456789");
                snprintf(behind, sizeof behind, ",3]%.*s", (whole * 7 + fraction) % 40, spaces);
                check_number(number, "[1,", behind);
                check_number(number, "[1, ", " ]");
                check_number(number, "[1,", "]");
                check_number(number, "", spaces + fraction);
                check_number(number, "", "");
            }
        }
    }
    for (round = 0; round < 20000; round++) {
        char number[40];
        size_t length, index;
        seed = seed * 1664525 + 1013904223;
        length = 1 + (seed >> 24) % (sizeof number - 1);
        for (index = 0; index < length; index++) {
            seed = seed * 1664525 + 1013904223;
            /* Mostly digits, so that many strings are numbers. */
            number[index] = letters[(seed >> 16) % 4 ? (seed >> 24) % 10 : (seed >> 24) % (sizeof letters - 1)];
        }
        number[length] = 0;
        check_number(number, "[1,", round % 2 ? ",3]" : "]                                      ");
    }
    check_number("1\"a\"", "[1,", "]                                      ");
    check_number("1[2]", "[1,", "]                                      ");
    check_number("1:2", "[1,", "]                                      ");
    check_number("1 2", "[1,", "]                                      ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(values),
        cmocka_unit_test(no_places),
        cmocka_unit_test(refused),
        cmocka_unit_test(of_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
