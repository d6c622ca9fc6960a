/* http.c - measures the cost of a request through the library, compared with plain libcurl programs in the same run.
 *
 *     http BASE PATH REQUESTS ROUNDS      every response of BASE/PATH must have the same bytes
 *
 * One at a time: routable_client_perform and one reused easy handle.  64 concurrent: the descriptor in a poll loop and
 * curl_multi_socket_action on epoll; routable_client_next and curl_multi_poll.  The plain programs set the fast options of
 * libcurl (BUFFERSIZE, NOSIGNAL, MAXCONNECTS), store the head and the body of each response in reused memory, check its
 * status, have a time limit, and nothing else.  The two programs of a pair alternate in each round. */
#define _GNU_SOURCE
#include <curl/curl.h>
#include <poll.h>
#include <routable.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { FLIGHT = 64, MOST_ROUNDS = 101 };

typedef struct answer {
    char *bytes;
    size_t length, capacity;
} answer;

static char url[512];
static size_t expected;
static routable_router *router;
static routable_request *request;
static routable_client *client;

static void fail(const char *what, const routable_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error ? routable_error_message(error).ptr : "failed");
    exit(1);
}

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static size_t collect(char *bytes, size_t size, size_t count, void *user)
{
    answer *const it = user;
    const size_t more = size * count;
    if (it->length + more > it->capacity) {
        it->capacity = (it->length + more) * 2;
        it->bytes = realloc(it->bytes, it->capacity);
    }
    memcpy(it->bytes + it->length, bytes, more);
    it->length += more;
    return more;
}

static size_t collect_head(char *bytes, size_t size, size_t count, void *user)
{
    answer *const it = user;
    if (size * count > 5 && memcmp(bytes, "HTTP/", 5) == 0)
        it->length = 0;
    return collect(bytes, size, count, user);
}

static CURL *bare_handle(answer *into, answer *head)
{
    CURL *const curl = curl_easy_init();
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, 65536L);
    curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "routable/0.1.0"); /* both send the same bytes */
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, 60000L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, into);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, collect_head);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, head);
    curl_easy_setopt(curl, CURLOPT_PRIVATE, into);
    return curl;
}

static void check_bare(CURL *curl, CURLcode code, answer *it)
{
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    if (code != CURLE_OK || status != 200 || it->length != expected)
        fail("bare libcurl", NULL);
    it->length = 0;
}

/* --- One at a time --- */

static void bare_easy(int count)
{
    static CURL *curl;
    static answer body, head;
    if (!curl)
        curl = bare_handle(&body, &head);
    while (count-- > 0) {
        curl_easy_setopt(curl, CURLOPT_URL, url); /* set for each request, as in programs with different URLs */
        check_bare(curl, curl_easy_perform(curl), &body);
    }
}

static void ours_easy(int count)
{
    while (count-- > 0) {
        routable_response *response = NULL;
        routable_error *error = NULL;
        if (routable_client_perform(client, request, &response, &error) != ROUTABLE_OK ||
            routable_response_body(response).len != expected)
            fail("perform", error);
        routable_response_free(response);
    }
}

/* --- 64 concurrent, curl_multi_poll --- */

static CURL *handles[2][FLIGHT];
static answer bodies[2][FLIGHT], heads[2][FLIGHT];

static CURLM *bare_multi(int which)
{
    CURLM *const multi = curl_multi_init();
    int i;
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 256L);
    for (i = 0; i < FLIGHT; i++)
        handles[which][i] = bare_handle(&bodies[which][i], &heads[which][i]);
    return multi;
}

static int begin_bare(CURLM *multi, CURL *curl, int *left)
{
    if (*left <= 0)
        return 0;
    --*left;
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_multi_add_handle(multi, curl);
    return 1;
}

static int end_bare(CURLM *multi, int *left)
{
    int ended = 0, waiting;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &waiting))) {
        CURL *const curl = message->easy_handle;
        const CURLcode code = message->data.result;
        answer *body = NULL;
        curl_easy_getinfo(curl, CURLINFO_PRIVATE, &body);
        check_bare(curl, code, body);
        curl_multi_remove_handle(multi, curl);
        begin_bare(multi, curl, left);
        ended++;
    }
    return ended;
}

static void bare_multi_poll(int count)
{
    static CURLM *multi;
    int left = count, ended = 0, i, running;
    if (!multi)
        multi = bare_multi(0);
    for (i = 0; i < FLIGHT; i++)
        begin_bare(multi, handles[0][i], &left);
    while (ended < count) {
        curl_multi_perform(multi, &running);
        ended += end_bare(multi, &left);
        if (ended < count)
            curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
}

static void ours_next(int count)
{
    int left = count, ended = 0, i;
    for (i = 0; i < FLIGHT && left > 0; i++, left--)
        if (routable_client_submit(client, request, NULL, NULL, NULL, NULL, NULL, NULL) != ROUTABLE_OK)
            fail("submit", NULL);
    while (ended < count) {
        routable_transfer *transfer = NULL;
        routable_response *response = NULL;
        routable_error *error = NULL;
        if (routable_client_next(client, -1, &transfer, &error) != ROUTABLE_OK ||
            routable_transfer_result(transfer, &response, &error) != ROUTABLE_OK ||
            routable_response_body(response).len != expected)
            fail("next", error);
        routable_response_free(response);
        routable_transfer_free(transfer);
        ended++;
        if (left-- > 0 && routable_client_submit(client, request, NULL, NULL, NULL, NULL, NULL, NULL) != ROUTABLE_OK)
            fail("submit", NULL);
    }
}

/* --- 64 concurrent, an event loop of the host --- */

static int epoll = -1;
static long timeout = -1;

static int socket_changed(CURL *curl, curl_socket_t descriptor, int what, void *user, void *known)
{
    CURLM *const multi = user;
    struct epoll_event event;
    (void)curl;
    memset(&event, 0, sizeof event);
    event.data.fd = descriptor;
    event.events = (what & CURL_POLL_IN ? EPOLLIN : 0u) | (what & CURL_POLL_OUT ? EPOLLOUT : 0u);
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL);
    } else {
        epoll_ctl(epoll, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event);
        curl_multi_assign(multi, descriptor, &epoll);
    }
    return 0;
}

static int timer_changed(CURLM *multi, long milliseconds, void *user)
{
    (void)multi;
    (void)user;
    timeout = milliseconds;
    return 0;
}

static void bare_multi_socket(int count)
{
    static CURLM *multi;
    struct epoll_event events[FLIGHT];
    int left = count, ended = 0, i, running;
    if (!multi) {
        multi = bare_multi(1);
        epoll = epoll_create1(EPOLL_CLOEXEC);
        curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket_changed);
        curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, multi);
        curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer_changed);
    }
    for (i = 0; i < FLIGHT; i++)
        begin_bare(multi, handles[1][i], &left);
    while (ended < count) {
        const int ready = epoll_wait(epoll, events, FLIGHT, timeout < 0 ? 1000 : (int)timeout);
        for (i = 0; i < ready; i++)
            curl_multi_socket_action(multi, events[i].data.fd,
                (events[i].events & EPOLLIN ? CURL_CSELECT_IN : 0) | (events[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0),
                &running);
        if (ready <= 0 || timeout == 0)
            curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
        ended += end_bare(multi, &left);
    }
}

typedef struct flight { int left, ended; } flight;

static void next_of(routable_transfer *transfer, void *user)
{
    flight *const it = user;
    routable_response *response = NULL;
    routable_error *error = NULL;
    if (routable_transfer_result(transfer, &response, &error) != ROUTABLE_OK || routable_response_body(response).len != expected)
        fail("callback", error);
    routable_response_free(response);
    it->ended++;
    if (it->left-- > 0 && routable_client_submit(client, request, NULL, next_of, it, NULL, NULL, NULL) != ROUTABLE_OK)
        fail("submit", NULL);
}

static void ours_descriptor(int count)
{
    static struct pollfd place = { -1, POLLIN, 0 };
    flight it = { count, 0 };
    int i;
    if (place.fd < 0 && routable_client_descriptor(client, &place.fd, NULL) != ROUTABLE_OK)
        fail("descriptor", NULL);
    for (i = 0; i < FLIGHT && it.left > 0; i++, it.left--)
        if (routable_client_submit(client, request, NULL, next_of, &it, NULL, NULL, NULL) != ROUTABLE_OK)
            fail("submit", NULL);
    while (it.ended < count) {
        poll(&place, 1, 1000);
        if (routable_client_drive(client, 0, NULL, NULL) != ROUTABLE_OK)
            fail("drive", NULL);
    }
}

/* --- Rounds --- */

/* In pairs: libcurl, then the library. */
static const struct { const char *name; void (*run)(int); } jobs[] = {
    { "libcurl easy handle, reused", bare_easy },
    { "routable_client_perform", ours_easy },
    { "curl_multi_poll, 64 in flight", bare_multi_poll },
    { "routable_client_next, 64 in flight", ours_next },
    { "multi_socket + epoll, 64 in flight", bare_multi_socket },
    { "descriptor + poll, 64 in flight", ours_descriptor },
};
enum { JOBS = sizeof jobs / sizeof *jobs };

typedef struct cost { double cpu, wall; } cost;

static void spend(int job, int requests, cost *sum)
{
    const double start = now(CLOCK_MONOTONIC), cpu_start = now(CLOCK_PROCESS_CPUTIME_ID);
    jobs[job].run(requests);
    sum->cpu += now(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
    sum->wall += now(CLOCK_MONOTONIC) - start;
}

static int by_size(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static double median(double *numbers, int count)
{
    qsort(numbers, (size_t)count, sizeof *numbers, by_size);
    return numbers[count / 2];
}

int main(int count, char **arguments)
{
    static double cpu[2][MOST_ROUNDS], wall[2][MOST_ROUNDS], ratio[MOST_ROUNDS], speed[MOST_ROUNDS];
    const int requests = count == 5 ? atoi(arguments[3]) : 0, rounds = count == 5 ? atoi(arguments[4]) : 0;
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_response *response = NULL;
    routable_error *error = NULL;
    char document[512];
    int round, job;
    if (requests <= 0 || rounds <= 0 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: %s BASE PATH REQUESTS ROUNDS\n", arguments[0]);
        return 2;
    }
    curl_global_init(CURL_GLOBAL_DEFAULT);
    options.base = arguments[1];
    snprintf(url, sizeof url, "%s/%s", arguments[1], arguments[2]);
    snprintf(document, sizeof document, "{\"routable\":1,\"operations\":{\"get\":{\"get\":\"/%s\"}}}", arguments[2]);
    if (routable_router_open(document, ROUTABLE_NUL_TERMINATED, &options, &router, &error) != ROUTABLE_OK ||
        routable_client_new(NULL, &client, &error) != ROUTABLE_OK ||
        routable_request_new_json(router, "{\"operation\":\"get\"}", ROUTABLE_NUL_TERMINATED, &request, &error) != ROUTABLE_OK ||
        routable_client_perform(client, request, &response, &error) != ROUTABLE_OK)
        fail("start", error);
    expected = routable_response_body(response).len;
    routable_response_free(response);

    if (getenv("ONLY")) { /* a single job by its number, for a profiler */
        jobs[atoi(getenv("ONLY")) % JOBS].run(requests);
        return 0;
    }
    printf("%zu bytes, %d rounds of %d requests; us, medians\n", expected, rounds, requests);
    printf("%-38s %8s %8s %11s %11s\n", "", "CPU", "wall", "CPU ratio", "throughput");
    for (job = 0; job < JOBS; job += 2) {
        jobs[job].run(200);
        jobs[job + 1].run(200);
        for (round = 0; round < rounds; round++) {
            /* In the order libcurl, library, library, libcurl, so that aftereffects of a job, such as an idle processor, affect both. */
            cost theirs = { 0 }, ours = { 0 };
            spend(job, requests, &theirs);
            spend(job + 1, requests, &ours);
            spend(job + 1, requests, &ours);
            spend(job, requests, &theirs);
            cpu[0][round] = theirs.cpu / requests / 2;
            cpu[1][round] = ours.cpu / requests / 2;
            wall[0][round] = theirs.wall / requests / 2;
            wall[1][round] = ours.wall / requests / 2;
            ratio[round] = ours.cpu / theirs.cpu;
            speed[round] = theirs.wall / ours.wall;
        }
        printf("%-38s %8.2f %8.2f\n", jobs[job].name, median(cpu[0], rounds), median(wall[0], rounds));
        printf("%-38s %8.2f %8.2f %11.3f %11.3f\n", jobs[job + 1].name, median(cpu[1], rounds), median(wall[1], rounds),
            median(ratio, rounds), median(speed, rounds));
    }
    routable_request_free(request);
    routable_client_free(client);
    routable_router_free(router);
    return 0;
}
