/* Validation compared with hand-written checks for the same schema: formats, patterns, uniqueItems, enums, large unions.
 *
 * Both read the same text.  The hand-written checks read the values with the cursor (routable_json_value.h) and implement each keyword as a C
 * programmer would: loops over characters, PCRE2 with its compiler, a hash table, bsearch.  Medians of interleaved rounds.
 *
 *   byhand [ROUNDS] */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <ctype.h>
#include <pcre2.h>
#include <routable.h>
#include <routable_json_value.h>
#include <routable_schema.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ITEMS = 400, MOST_ROUNDS = 301, CALLS = 10, KINDS = 24 };

typedef const routable_json_values values;

static char *text;
static size_t length, capacity;

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
#include <stdarg.h>
static void put(const char *format, ...)
{
    va_list arguments;
    int size;
    if (length + 4096 > capacity)
        text = realloc(text, capacity = (capacity + 4096) * 2);
    va_start(arguments, format);
    size = vsnprintf(text + length, capacity - length, format, arguments);
    va_end(arguments);
    length += (size_t)size;
}

static uint64_t state = 88172645463325252u;
static unsigned draw(unsigned below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % below;
}

/* Each element of an array. */
#define EACH(json, array, child) \
    for (uint64_t child = routable_json_next(json, array, ROUTABLE_JSON_NOWHERE); child != ROUTABLE_JSON_NOWHERE; \
         child = routable_json_next(json, array, child))
#define IS(key, word) ((key).len == sizeof word - 1 && memcmp((key).ptr, word, sizeof word - 1) == 0)

static int is_array(values *json, uint64_t place) { return routable_json_kind_of(json, place) == ROUTABLE_JSON_ARRAY; }
static int is_object(values *json, uint64_t place) { return routable_json_kind_of(json, place) == ROUTABLE_JSON_OBJECT; }
static int is_string(values *json, uint64_t place) { return routable_json_kind_of(json, place) == ROUTABLE_JSON_STRING; }

/* --- Formats --- */

static const char formats_schema[] =
    "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"required\":[\"id\",\"at\",\"ip\",\"day\",\"mail\"],\"properties\":{"
    "\"id\":{\"type\":\"string\",\"format\":\"uuid\"},\"at\":{\"type\":\"string\",\"format\":\"date-time\"},"
    "\"ip\":{\"type\":\"string\",\"format\":\"ipv4\"},\"day\":{\"type\":\"string\",\"format\":\"date\"},"
    "\"mail\":{\"type\":\"string\",\"format\":\"email\"}}}}";

static void formats_text(void)
{
    for (int i = 0; i < ITEMS; i++)
        put("%s{\"id\":\"%08x-%04x-4%03x-8%03x-%012x\",\"at\":\"2026-%02u-%02uT%02u:%02u:%02u.%03uZ\",\"ip\":\"%u.%u.%u.%u\","
            "\"day\":\"2025-%02u-%02u\",\"mail\":\"user%u.name@mail%u.example.com\"}",
            i ? "," : "", draw(1u << 30), draw(1 << 16), draw(1 << 12), draw(1 << 12), draw(1u << 30), 1 + draw(12), 1 + draw(28),
            draw(24), draw(60), draw(60), draw(1000), draw(256), draw(256), draw(256), draw(256), 1 + draw(12), 1 + draw(28),
            draw(1000), draw(50));
}

static int digits(const char *at, int count, int least, int most)
{
    int number = 0;
    for (int i = 0; i < count; i++) {
        if (at[i] < '0' || at[i] > '9')
            return 0;
        number = number * 10 + at[i] - '0';
    }
    return number >= least && number <= most;
}

static int number_of(const char *at, int count)
{
    int number = 0;
    for (int i = 0; i < count; i++)
        number = number * 10 + at[i] - '0';
    return number;
}

static int is_date(const char *at, size_t size)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    if (size != 10 || !digits(at, 4, 0, 9999) || at[4] != '-' || !digits(at + 5, 2, 1, 12) || at[7] != '-')
        return 0;
    const int year = number_of(at, 4), month = number_of(at + 5, 2);
    const int leap = month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return digits(at + 8, 2, 1, days[month - 1] + leap);
}

static int is_date_time(routable_str it)
{
    const char *at = it.ptr + 19, *const end = it.ptr + it.len;
    if (it.len < 20 || !is_date(it.ptr, 10) || (it.ptr[10] | 32) != 't' || !digits(it.ptr + 11, 2, 0, 23) || it.ptr[13] != ':' ||
        !digits(it.ptr + 14, 2, 0, 59) || it.ptr[16] != ':' || !digits(it.ptr + 17, 2, 0, 60))
        return 0;
    if (*at == '.') {
        const char *const start = ++at;
        while (at < end && *at >= '0' && *at <= '9')
            at++;
        if (at == start || at == end)
            return 0;
    }
    if ((*at | 32) == 'z')
        return at + 1 == end;
    return (*at == '+' || *at == '-') && end - at == 6 && digits(at + 1, 2, 0, 23) && at[3] == ':' && digits(at + 4, 2, 0, 59);
}

static int is_uuid(routable_str it)
{
    if (it.len != 36)
        return 0;
    for (int i = 0; i < 36; i++)
        if (i == 8 || i == 13 || i == 18 || i == 23 ? it.ptr[i] != '-' : !isxdigit((unsigned char)it.ptr[i]))
            return 0;
    return 1;
}

static int is_address(routable_str it)
{
    size_t at = 0;
    for (int part = 0; part < 4; part++) {
        const size_t start = at;
        int number = 0;
        while (at < it.len && at - start < 3 && it.ptr[at] >= '0' && it.ptr[at] <= '9')
            number = number * 10 + it.ptr[at++] - '0';
        if (at == start || number > 255 || (at - start > 1 && it.ptr[start] == '0') || (part < 3 && (at == it.len || it.ptr[at++] != '.')))
            return 0;
    }
    return at == it.len;
}

static int is_mail(routable_str it)
{
    const char *const sign = it.len && it.len <= 254 ? memchr(it.ptr, '@', it.len) : NULL;
    size_t label = 0;
    char last = '.';
    if (!sign || sign == it.ptr || sign - it.ptr > 64)
        return 0;
    for (const char *at = it.ptr; at < sign; at++) {
        if (*at == '.' ? last == '.' : !(isalnum((unsigned char)*at) || strchr("!#$%&'*+/=?^_`{|}~-", *at)))
            return 0;
        last = *at;
    }
    if (last == '.')
        return 0;
    for (const char *at = sign + 1; at <= it.ptr + it.len; at++) {
        if (at == it.ptr + it.len || *at == '.') {
            if (label == 0 || label > 63 || last == '-')
                return 0;
            label = 0;
        } else if (!(isalnum((unsigned char)*at) || (*at == '-' && label > 0))) {
            return 0;
        } else {
            label++;
        }
        last = at < it.ptr + it.len ? *at : 0;
    }
    return 1;
}

static int formats_by_hand(values *json)
{
    if (!is_array(json, 0))
        return 0;
    EACH(json, 0, item) {
        int seen = 0;
        if (!is_object(json, item))
            return 0;
        EACH(json, item, member) {
            const routable_str key = routable_json_key(json, member), it = routable_json_string(json, member);
            int bit = 0, fits = 1;
            if (IS(key, "id")) bit = 1, fits = is_uuid(it);
            else if (IS(key, "at")) bit = 2, fits = is_date_time(it);
            else if (IS(key, "ip")) bit = 4, fits = is_address(it);
            else if (IS(key, "day")) bit = 8, fits = is_date(it.ptr, it.len);
            else if (IS(key, "mail")) bit = 16, fits = is_mail(it);
            if (!fits || (bit && !is_string(json, member)))
                return 0;
            seen |= bit;
        }
        if (seen != 31)
            return 0;
    }
    return 1;
}

/* --- Patterns --- */

static const char patterns_schema[] =
    "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"required\":[\"code\",\"color\",\"slug\"],\"properties\":{"
    "\"code\":{\"type\":\"string\",\"pattern\":\"^[A-Z]{3}-[0-9]{4,6}$\"},\"color\":{\"type\":\"string\",\"pattern\":\"^#[0-9a-f]{6}$\"},"
    "\"slug\":{\"type\":\"string\",\"pattern\":\"^[a-z0-9]+(?:-[a-z0-9]+)*$\"}}}}";

static void patterns_text(void)
{
    for (int i = 0; i < ITEMS; i++)
        put("%s{\"code\":\"%c%c%c-%05u\",\"color\":\"#%06x\",\"slug\":\"a-list-of-%u-words-%u\"}", i ? "," : "", 'A' + draw(26),
            'A' + draw(26), 'A' + draw(26), draw(100000), draw(1 << 24), draw(1000), draw(100));
}

static pcre2_code *compiled[3];
static pcre2_match_data *found;

static int matches(int which, routable_str it)
{
    if (!compiled[which]) {
        static const char *const patterns[] = { "^[A-Z]{3}-[0-9]{4,6}\\z", "^#[0-9a-f]{6}\\z", "^[a-z0-9]+(?:-[a-z0-9]+)*\\z" };
        int code;
        size_t place;
        compiled[which] = pcre2_compile((PCRE2_SPTR)patterns[which], PCRE2_ZERO_TERMINATED, PCRE2_UTF | PCRE2_NO_UTF_CHECK, &code, &place, NULL);
        pcre2_jit_compile(compiled[which], PCRE2_JIT_COMPLETE);
        if (!found)
            found = pcre2_match_data_create(4, NULL);
    }
    return pcre2_match(compiled[which], (PCRE2_SPTR)it.ptr, it.len, 0, PCRE2_NO_UTF_CHECK, found, NULL) >= 0;
}

static int patterns_by_hand(values *json)
{
    if (!is_array(json, 0))
        return 0;
    EACH(json, 0, item) {
        int seen = 0;
        if (!is_object(json, item))
            return 0;
        EACH(json, item, member) {
            const routable_str key = routable_json_key(json, member);
            const int which = IS(key, "code") ? 0 : IS(key, "color") ? 1 : IS(key, "slug") ? 2 : -1;
            if (which >= 0 && (!is_string(json, member) || !matches(which, routable_json_string(json, member))))
                return 0;
            if (which >= 0)
                seen |= 1 << which;
        }
        if (seen != 7)
            return 0;
    }
    return 1;
}

/* --- uniqueItems --- */

static const char unique_schema[] =
    "{\"type\":\"array\",\"items\":{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"string\"}}}";

static void unique_text(void)
{
    for (int i = 0; i < ITEMS / 4; i++) {
        put("%s[", i ? "," : "");
        for (int each = 0; each < 50; each++)
            put("%s\"label-%u-%d\"", each ? "," : "", draw(1000), each);
        put("]");
    }
}

static int unique_by_hand(values *json)
{
    static routable_str slots[256];
    if (!is_array(json, 0))
        return 0;
    EACH(json, 0, item) {
        if (!is_array(json, item) || routable_json_count(json, item) > 128) /* the table would have to grow */
            return 0;
        memset(slots, 0, sizeof slots);
        EACH(json, item, element) {
            const routable_str it = routable_json_string(json, element);
            uint64_t hash = 14695981039346656037u;
            if (!is_string(json, element))
                return 0;
            for (size_t i = 0; i < it.len; i++)
                hash = (hash ^ (unsigned char)it.ptr[i]) * 1099511628211u;
            size_t slot = (size_t)(hash ^ hash >> 32) % 256;
            for (; slots[slot].ptr; slot = (slot + 1) % 256)
                if (slots[slot].len == it.len && memcmp(slots[slot].ptr, it.ptr, it.len) == 0)
                    return 0;
            slots[slot] = it;
        }
    }
    return 1;
}

/* --- Enums and unions --- */

static char words[KINDS][24];
static char enums_schema[1024], unions_schema[8192];

static int by_word(const void *one, const void *other) { return strcmp(one, other); }

static int word_of(routable_str it)
{
    int low = 0, high = KINDS;
    while (low < high) {
        const int middle = (low + high) / 2;
        const size_t size = strlen(words[middle]);
        int order = memcmp(it.ptr, words[middle], it.len < size ? it.len : size);
        if (order == 0)
            order = (it.len > size) - (it.len < size);
        if (order == 0)
            return middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}

static void make_words(void)
{
    char *at = enums_schema, *const end = at + sizeof enums_schema, *to = unions_schema, *const last = to + sizeof unions_schema;
    for (int i = 0; i < KINDS; i++)
        snprintf(words[i], sizeof words[i], "%c%c-event-%d", 'a' + i * 7 % 26, 'a' + i * 11 % 26, i);
    qsort(words, KINDS, sizeof *words, by_word);
    at += snprintf(at, (size_t)(end - at), "{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{\"enum\":[");
    to += snprintf(to, (size_t)(last - to), "{\"type\":\"array\",\"items\":{\"oneOf\":[");
    for (int i = 0; i < KINDS; i++) {
        at += snprintf(at, (size_t)(end - at), "%s\"%s\"", i ? "," : "", words[i]);
        to += snprintf(to, (size_t)(last - to),
            "%s{\"type\":\"object\",\"required\":[\"type\",\"n%d\"],\"properties\":{\"type\":{\"const\":\"%s\"},\"n%d\":{\"type\":\"integer\"},"
            "\"text\":{\"type\":\"string\"}}}",
            i ? "," : "", i, words[i], i);
    }
    snprintf(at, (size_t)(end - at), "]}}}");
    snprintf(to, (size_t)(last - to), "]}}");
}

static void enums_text(void)
{
    for (int i = 0; i < ITEMS / 10; i++) {
        put("%s[", i ? "," : "");
        for (int each = 0; each < 40; each++)
            put("%s\"%s\"", each ? "," : "", words[draw(KINDS)]);
        put("]");
    }
}

static int enums_by_hand(values *json)
{
    if (!is_array(json, 0))
        return 0;
    EACH(json, 0, item) {
        if (!is_array(json, item))
            return 0;
        EACH(json, item, element)
            if (!is_string(json, element) || word_of(routable_json_string(json, element)) < 0)
                return 0;
    }
    return 1;
}

static void unions_text(void)
{
    for (int i = 0; i < ITEMS; i++) {
        const unsigned kind = draw(KINDS);
        put("%s{\"type\":\"%s\",\"n%u\":%u,\"text\":\"the text of event %u\"}", i ? "," : "", words[kind], kind, draw(100000), draw(1000));
    }
}

static int unions_by_hand(values *json)
{
    static const routable_str type_name = { "type", 4 }, text_name = { "text", 4 };
    static routable_str names[KINDS];
    if (!names[0].ptr)
        for (int i = 0; i < KINDS; i++) {
            char name[8];
            names[i].len = (size_t)snprintf(name, sizeof name, "n%d", i);
            names[i].ptr = strdup(name);
        }
    if (!is_array(json, 0))
        return 0;
    EACH(json, 0, item) {
        if (!is_object(json, item))
            return 0;
        const uint64_t type = routable_json_member(json, item, type_name), more = routable_json_member(json, item, text_name);
        const int kind = is_string(json, type) ? word_of(routable_json_string(json, type)) : -1;
        if (kind < 0 || routable_json_kind_of(json, routable_json_member(json, item, names[kind])) != ROUTABLE_JSON_INTEGER ||
            (more != ROUTABLE_JSON_NOWHERE && !is_string(json, more)))
            return 0;
    }
    return 1;
}

/* --- Rounds --- */

static const struct { const char *name, *schema; void (*write)(void); int (*by_hand)(values *); } cases[] = {
    { "formats", formats_schema, formats_text, formats_by_hand },
    { "patterns", patterns_schema, patterns_text, patterns_by_hand },
    { "uniqueItems", unique_schema, unique_text, unique_by_hand },
    { "enums", enums_schema, enums_text, enums_by_hand },
    { "unions", unions_schema, unions_text, unions_by_hand },
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int by_size(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static void fail(const char *name, const routable_error *error)
{
    fprintf(stderr, "%s: %s\n", name, error ? routable_error_message(error).ptr : "by hand, the text does not fit");
    exit(1);
}

static void run(const char *name, const routable_schema *schema, int (*by_hand)(values *))
{
    routable_error *error = NULL;
    routable_json_values *json = NULL;
    if (schema && routable_schema_validate(schema, text, length, 1, &error) != ROUTABLE_OK)
        fail(name, error);
    if (!schema && routable_json_values_read(text, length, &json, &error) != ROUTABLE_OK)
        fail(name, error);
    if (by_hand && !by_hand(json))
        fail(name, NULL);
    routable_json_values_free(json);
}

int main(int count, char **arguments)
{
    static double taken[3][MOST_ROUNDS], ratio[MOST_ROUNDS];
    const int rounds = count > 1 && atoi(arguments[1]) > 0 && atoi(arguments[1]) < MOST_ROUNDS ? atoi(arguments[1]) : 61;
    make_words();
    printf("%-12s %8s %9s %9s %9s   of by hand\n", "keyword", "bytes", "schema", "by hand", "reading");
    for (size_t each = 0; each < sizeof cases / sizeof *cases; each++) {
        routable_schema_options options = ROUTABLE_SCHEMA_OPTIONS_INIT;
        routable_schema *schema = NULL;
        routable_error *error = NULL;
        options.flags = ROUTABLE_SCHEMA_ASSERT_FORMATS;
        if (routable_schema_open(cases[each].schema, ROUTABLE_NUL_TERMINATED, &options, &schema, &error) != ROUTABLE_OK)
            fail(cases[each].name, error);
        length = 0;
        put("[");
        cases[each].write();
        put("]");
        for (int round = -1; round < rounds; round++)
            for (int job = 0; job < 3; job++) {
                const double start = now();
                for (int call = 0; call < CALLS; call++)
                    run(cases[each].name, job == 0 ? schema : NULL, job == 1 ? cases[each].by_hand : NULL);
                if (round >= 0)
                    taken[job][round] = (now() - start) / CALLS;
            }
        for (int round = 0; round < rounds; round++)
            ratio[round] = taken[0][round] / taken[1][round];
        for (int job = 0; job < 3; job++)
            qsort(taken[job], (size_t)rounds, sizeof(double), by_size);
        qsort(ratio, (size_t)rounds, sizeof(double), by_size);
        printf("%-12s %8zu %9.1f %9.1f %9.1f   %.2f\n", cases[each].name, length, taken[0][rounds / 2], taken[1][rounds / 2],
            taken[2][rounds / 2], ratio[rounds / 2]);
        routable_schema_free(schema);
    }
    return 0;
}
