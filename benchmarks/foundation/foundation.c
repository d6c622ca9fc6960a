/* foundation.c - measures the cost of a call through the library, compared with plain C for the same job.
 *
 *     foundation DESCRIPTION BASE      examples/social.json and a service that responds to every GET with JSON
 *
 * Plain C is a program without the library: jansson for JSON, libcurl's escaping and easy handle, snprintf for
 * the URL.  It makes none of the library's checks.  Both are measured in alternating rounds, so that a ratio
 * is stable on a busy machine: minimum and median over the rounds. */
#define _GNU_SOURCE
#include <curl/curl.h>
#include <routable_jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 101, ROUND_NS = 1000000 };

typedef struct bench {
    routable_router *router;
    routable_plan *plan;
    routable_client *client;
    routable_request *get;
    CURL *curl;
    char base[128];
    char url[512];
    char *answer; /* of the plain request */
    size_t answer_length;
    size_t sink; /* a result of each round, so that the compiler removes no code */
} bench;

typedef void (*job)(bench *it);

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void fail(const char *what, const routable_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error ? routable_error_message(error).ptr : "failed");
    exit(1);
}

static int by_size(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* --- The jobs: four ids into a URL --- */

static const char *const values[] = { "init Fabian", "3", "32352", "f\xC3\xA9lix/1" };
static const char call_json[] =
    "{\"route\":\"user.status.comment.user\",\"operation\":\"read\",\"ids\":[\"init Fabian\",\"3\",\"32352\",\"f\xC3\xA9lix/1\"]}";

static int plain_url(bench *it, const char *const *ids, char *url, size_t capacity)
{
    char *escaped[4];
    int i, length;
    for (i = 0; i < 4; i++)
        escaped[i] = curl_easy_escape(it->curl, ids[i], 0);
    length = snprintf(url, capacity, "%s/users/%s/statuses/%s/comments/%s/users/%s", it->base, escaped[0], escaped[1],
        escaped[2], escaped[3]);
    for (i = 0; i < 4; i++)
        curl_free(escaped[i]);
    return length;
}

static void plan_ours(bench *it)
{
    const routable_value ids[] = { routable_value_string(values[0]), routable_value_string(values[1]), routable_value_string(values[2]),
        routable_value_string(values[3]) };
    size_t length = 0;
    if (routable_plan_write(it->plan, ids, 4, NULL, 0, it->url, sizeof it->url, &length, NULL) != ROUTABLE_OK)
        fail("plan", NULL);
    it->sink += length;
}

static void plan_plain(bench *it) { it->sink += (size_t)plain_url(it, values, it->url, sizeof it->url); }

static const char update_json[] =
    "{\"name\":\"Fabian Fett\",\"bio\":\"A text of a usual length, as people write it of themselves\",\"location\":\"Hamburg\","
    "\"links\":[\"https://example.com/a\",\"https://example.com/b\"],\"follows\":12,\"verified\":true}";

static void object(bench *it, const char *operation, const char *body)
{
    const routable_argument ids[] = { { NULL, routable_value_string(values[0]) }, { NULL, routable_value_string(values[1]) },
        { NULL, routable_value_string(values[2]) }, { NULL, routable_value_string(values[3]) } };
    routable_call call = ROUTABLE_CALL_INIT;
    routable_request *request = NULL;
    call.route = "user.status.comment.user";
    call.operation = operation;
    call.ids = ids;
    call.id_count = 4;
    if (body)
        call.body = routable_value_json(body);
    if (routable_request_new(it->router, &call, &request, NULL) != ROUTABLE_OK)
        fail("request", NULL);
    strcpy(it->url, routable_request_url(request).ptr);
    it->sink += routable_request_url(request).len + routable_request_body(request).len;
    routable_request_free(request);
}

static void object_ours(bench *it) { object(it, "read", NULL); }
static void update_ours(bench *it) { object(it, "update", update_json); }

/* A new URL, as in a request object. */
static void object_plain(bench *it)
{
    char url[512];
    char *copy;
    plain_url(it, values, url, sizeof url);
    copy = strdup(url);
    strcpy(it->url, copy);
    it->sink += strlen(copy);
    free(copy);
}

/* With a body, which must be valid JSON. */
static void update_plain(bench *it)
{
    json_t *const value = json_loadb(update_json, sizeof update_json - 1, 0, NULL);
    char *copy;
    if (!value)
        fail("json_loadb", NULL);
    json_decref(value);
    object_plain(it);
    copy = strdup(update_json);
    it->sink += strlen(copy);
    free(copy);
}

/* Text as argument and as result. */
static void json_ours(bench *it)
{
    routable_string out = { NULL, 0 };
    if (routable_build_json(it->router, call_json, ROUTABLE_NUL_TERMINATED, &out, NULL) != ROUTABLE_OK)
        fail("build_json", NULL);
    snprintf(it->url, sizeof it->url, "%s", out.ptr);
    it->sink += out.len;
    routable_string_free(&out);
}

static void json_plain(bench *it)
{
    json_t *const call = json_loadb(call_json, sizeof call_json - 1, 0, NULL);
    const char *ids[4], *route, *operation;
    json_t *request;
    char url[512], *text;
    if (json_unpack(call, "{s:s, s:s, s:[s,s,s,s]}", "route", &route, "operation", &operation, "ids", &ids[0], &ids[1], &ids[2],
            &ids[3]) != 0)
        fail("json_unpack", NULL);
    plain_url(it, ids, url, sizeof url);
    request = json_pack("{s:s, s:s, s:s, s:s, s:[]}", "method", "GET", "url", url, "route", route, "operation", operation,
        "headers");
    text = json_dumps(request, JSON_COMPACT);
    snprintf(it->url, sizeof it->url, "%s", text);
    it->sink += strlen(text);
    free(text);
    json_decref(request);
    json_decref(call);
}

/* --- One request on a reused connection, and the value of its body --- */

static void perform_ours(bench *it)
{
    routable_response *response = NULL;
    routable_error *error = NULL;
    if (routable_client_perform(it->client, it->get, &response, &error) != ROUTABLE_OK)
        fail("perform", error);
    it->sink += routable_response_body(response).len;
    routable_response_free(response);
}

static size_t collect(char *bytes, size_t size, size_t count, void *user)
{
    bench *const it = (bench *)user;
    char *const longer = (char *)realloc(it->answer, it->answer_length + size * count + 1);
    if (!longer)
        return 0;
    it->answer = longer;
    memcpy(it->answer + it->answer_length, bytes, size * count);
    it->answer_length += size * count;
    it->answer[it->answer_length] = '\0';
    return size * count;
}

/* The headers are also stored, as in a response object. */
static size_t collect_header(char *bytes, size_t size, size_t count, void *user)
{
    struct curl_slist **const headers = (struct curl_slist **)user;
    char line[512];
    snprintf(line, sizeof line, "%.*s", (int)(size * count), bytes);
    *headers = curl_slist_append(*headers, line);
    return size * count;
}

static struct curl_slist *plain_get(bench *it)
{
    struct curl_slist *headers = NULL;
    long status = 0;
    char url[512];
    snprintf(url, sizeof url, "%s/users", it->base);
    curl_easy_reset(it->curl);
    curl_easy_setopt(it->curl, CURLOPT_URL, url);
    curl_easy_setopt(it->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(it->curl, CURLOPT_TIMEOUT_MS, 60000L);
    curl_easy_setopt(it->curl, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(it->curl, CURLOPT_WRITEDATA, it);
    curl_easy_setopt(it->curl, CURLOPT_HEADERFUNCTION, collect_header);
    curl_easy_setopt(it->curl, CURLOPT_HEADERDATA, &headers);
    if (curl_easy_perform(it->curl) != CURLE_OK || curl_easy_getinfo(it->curl, CURLINFO_RESPONSE_CODE, &status) != CURLE_OK ||
        status != 200)
        fail("curl_easy_perform", NULL);
    return headers;
}

static void plain_done(bench *it, struct curl_slist *headers)
{
    curl_slist_free_all(headers);
    free(it->answer);
    it->answer = NULL;
    it->answer_length = 0;
}

static void perform_plain(bench *it)
{
    struct curl_slist *const headers = plain_get(it);
    it->sink += it->answer_length;
    plain_done(it, headers);
}

/* Built, sent, parsed: from a call as text to the JSON tree of its response. */
static void whole_ours(bench *it)
{
    routable_request *request = NULL;
    routable_response *response = NULL;
    routable_error *error = NULL;
    json_t *value = NULL;
    if (routable_request_new_json(it->router, "{\"route\":\"user\",\"operation\":\"list\"}", ROUTABLE_NUL_TERMINATED, &request, &error) != ROUTABLE_OK ||
        routable_client_perform(it->client, request, &response, &error) != ROUTABLE_OK ||
        routable_response_body_jansson(response, &value, &error) != ROUTABLE_OK)
        fail("the whole job", error);
    it->sink += json_array_size(value);
    json_decref(value);
    routable_response_free(response);
    routable_request_free(request);
}

static void whole_plain(bench *it)
{
    json_t *const call = json_loads("{\"route\":\"user\",\"operation\":\"list\"}", 0, NULL);
    struct curl_slist *const headers = plain_get(it);
    json_t *const value = json_loadb(it->answer, it->answer_length, 0, NULL);
    it->sink += json_array_size(value);
    json_decref(value);
    json_decref(call);
    plain_done(it, headers);
}

/* --- Rounds --- */

static double round_of(bench *it, job work, size_t count, double *cpu)
{
    const double start = now(CLOCK_MONOTONIC), cpu_start = now(CLOCK_PROCESS_CPUTIME_ID);
    size_t i;
    for (i = 0; i < count; i++)
        work(it);
    *cpu = (now(CLOCK_PROCESS_CPUTIME_ID) - cpu_start) / (double)count;
    return (now(CLOCK_MONOTONIC) - start) / (double)count;
}

static void print_row(const char *name, const char *unit, double divisor, double ours[ROUNDS], double plain[ROUNDS])
{
    qsort(ours, ROUNDS, sizeof *ours, by_size);
    qsort(plain, ROUNDS, sizeof *plain, by_size);
    printf("%-44s %9.2f %9.2f %9.2f %9.2f %-6s %5.2f %5.2f\n", name, ours[0] / divisor, ours[ROUNDS / 2] / divisor,
        plain[0] / divisor, plain[ROUNDS / 2] / divisor, unit, ours[0] / plain[0], ours[ROUNDS / 2] / plain[ROUNDS / 2]);
    fflush(stdout);
}

static void measure(bench *it, const char *name, job ours, job plain, int shows_cpu)
{
    static double times[2][ROUNDS], cpu[2][ROUNDS];
    char first[sizeof it->url], cpu_name[64];
    size_t counts[2], turn;
    job jobs[2];
    jobs[0] = ours;
    jobs[1] = plain;
    it->url[0] = '\0';
    ours(it);
    memcpy(first, it->url, sizeof first);
    plain(it);
    if (strcmp(first, it->url) != 0) {
        fprintf(stderr, "%s: \"%s\" here, \"%s\" in plain C\n", name, first, it->url);
        exit(1);
    }
    for (turn = 0; turn < 2; turn++) { /* the number of calls that fit into a round, by a first estimate */
        const double one = round_of(it, jobs[turn], 20, &cpu[0][0]);
        counts[turn] = 1 + (size_t)(ROUND_NS / one);
    }
    for (turn = 0; turn < ROUNDS; turn++) {
        times[0][turn] = round_of(it, ours, counts[0], &cpu[0][turn]);
        times[1][turn] = round_of(it, plain, counts[1], &cpu[1][turn]);
    }
    print_row(name, shows_cpu ? "us" : "ns", shows_cpu ? 1000 : 1, times[0], times[1]);
    if (shows_cpu) {
        snprintf(cpu_name, sizeof cpu_name, "%s: CPU", name);
        print_row(cpu_name, "us", 1000, cpu[0], cpu[1]);
    }
}

int main(int count, char **arguments)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_call list = ROUTABLE_CALL_INIT;
    routable_error *error = NULL;
    bench it;
    memset(&it, 0, sizeof it);
    if (count != 3) {
        fprintf(stderr, "usage: %s DESCRIPTION BASE\n", arguments[0]);
        return 2;
    }
    snprintf(it.base, sizeof it.base, "%s", arguments[2]);
    options.base = it.base;
    list.route = "user";
    list.operation = "list";
    curl_global_init(CURL_GLOBAL_DEFAULT);
    it.curl = curl_easy_init();
    if (!it.curl || routable_router_open_file(arguments[1], &options, &it.router, &error) != ROUTABLE_OK ||
        routable_plan_new(it.router, "user.status.comment.user", "read", &it.plan, &error) != ROUTABLE_OK ||
        routable_client_new(NULL, &it.client, &error) != ROUTABLE_OK ||
        routable_request_new(it.router, &list, &it.get, &error) != ROUTABLE_OK)
        fail("start", error);

    printf("%-44s %9s %9s %9s %9s %-6s %5s %5s\n", "", "routable", "", "plain C", "", "", "ratio", "");
    printf("%-44s %9s %9s %9s %9s %-6s %5s %5s\n", "", "least", "median", "least", "median", "", "least", "med.");
    measure(&it, "plan_write, 4 ids", plan_ours, plan_plain, 0);
    measure(&it, "request_new, 4 ids", object_ours, object_plain, 0);
    measure(&it, "request_new, 4 ids and a body of JSON", update_ours, update_plain, 0);
    measure(&it, "build_json: call JSON to request JSON", json_ours, json_plain, 0);
    measure(&it, "perform, a kept connection", perform_ours, perform_plain, 1);
    measure(&it, "call JSON, perform, json_t of the answer", whole_ours, whole_plain, 1);

    routable_request_free(it.get);
    routable_client_free(it.client);
    routable_plan_free(it.plan);
    routable_router_free(it.router);
    curl_easy_cleanup(it.curl);
    curl_global_cleanup();
    return it.sink == 0;
}
