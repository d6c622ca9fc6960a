// A response with a declared type, validated by the library, compared with plain libcurl and RapidJSON's parsing of the same body: CPU
// time of the process, the body in each program, and the allocations of one request.
//
//   typed BASE PATH SCHEMA_FILE REQUESTS ROUNDS      BASE/PATH is JSON that is valid for the schema
//
// Both reuse their connection and alternate in each round; ratios are medians over the rounds.
#include <curl/curl.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "routable.h"

// --- Allocations: these definitions replace those of the C library ---

extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static size_t allocations;

void *malloc(size_t size) noexcept { allocations++; return __libc_malloc(size); }
void *calloc(size_t count, size_t size) noexcept { allocations++; return __libc_calloc(count, size); }
void *realloc(void *memory, size_t size) noexcept { allocations++; return __libc_realloc(memory, size); }
int posix_memalign(void **out, size_t alignment, size_t size) noexcept
{
    allocations++;
    *out = __libc_memalign(alignment, size);
    return *out ? 0 : 12;
}
void *aligned_alloc(size_t alignment, size_t size) noexcept { allocations++; return __libc_memalign(alignment, size); }
}

static void fail(const char *what, const routable_error *error = nullptr)
{
    std::fprintf(stderr, "%s: %s\n", what, error ? routable_error_message(error).ptr : "failed");
    std::exit(1);
}

static double cpu_time()
{
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e6 + double(time.tv_nsec) / 1e3;
}

// --- Plain libcurl: a reused handle, with the head and the body in reused memory ---

static size_t collect(char *bytes, size_t size, size_t count, void *user)
{
    static_cast<std::string *>(user)->append(bytes, size * count);
    return size * count;
}

static std::string body, head, url;

static void bare(int count)
{
    static CURL *const curl = curl_easy_init();
    for (; count > 0; count--) {
        body.clear();
        head.clear();
        curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, 65536L);
        curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
        curl_easy_setopt(curl, CURLOPT_USERAGENT, "routable/0.1.0");
        curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, 60000L);
        curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, collect);
        curl_easy_setopt(curl, CURLOPT_WRITEDATA, &body);
        curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, collect);
        curl_easy_setopt(curl, CURLOPT_HEADERDATA, &head);
        curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
        long status = 0;
        if (curl_easy_perform(curl) != CURLE_OK || curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status) != CURLE_OK || status != 200)
            fail("bare libcurl");
    }
}

static void bare_and_parse(int count)
{
    for (; count > 0; count--) {
        bare(1);
        rapidjson::Document document;
        document.Parse(body.data(), body.size());
        if (document.HasParseError())
            fail("RapidJSON");
    }
}

// --- The library ---

static routable_client *client;
static routable_request *request;

static void ours(int count)
{
    for (; count > 0; count--) {
        routable_response *response = nullptr;
        routable_error *error = nullptr;
        if (routable_client_perform(client, request, &response, &error) != ROUTABLE_OK)
            fail("perform", error);
        if (routable_response_outcome(response) != ROUTABLE_OUTCOME_SELF || routable_response_deviation_count(response))
            fail("the body does not fit its type");
        routable_response_free(response);
    }
}

static double median(std::vector<double> numbers)
{
    std::sort(numbers.begin(), numbers.end());
    return numbers[numbers.size() / 2];
}

int main(int count, char **arguments)
{
    if (count != 6)
        fail("usage: typed BASE PATH SCHEMA_FILE REQUESTS ROUNDS");
    const std::string path = arguments[2];
    std::ifstream file(arguments[3]);
    const std::string schema((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const int requests = std::atoi(arguments[4]), rounds = std::atoi(arguments[5]);
    const std::string document = "{\"routable\":1,\"types\":{\"Body\":" + schema + "},\"operations\":{\"get\":{\"get\":\"/" + path
        + "\",\"results\":{\"200\":{\"$ref\":\"#/types/Body\"}}}}}";
    url = std::string(arguments[1]) + "/" + path;
    curl_global_init(CURL_GLOBAL_DEFAULT);
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    options.base = arguments[1];
    routable_router *router = nullptr;
    routable_error *error = nullptr;
    if (requests < 1 || rounds < 1 || routable_router_open(document.c_str(), document.size(), &options, &router, &error) != ROUTABLE_OK
        || routable_client_new(nullptr, &client, &error) != ROUTABLE_OK
        || routable_request_new_json(router, "{\"operation\":\"get\"}", ROUTABLE_NUL_TERMINATED, &request, &error) != ROUTABLE_OK)
        fail("start", error);

    static const struct { const char *name; void (*run)(int); } jobs[] = {
        { "libcurl", bare }, { "libcurl and RapidJSON", bare_and_parse }, { "routable_client_perform, typed", ours },
    };
    std::vector<double> taken[3], ratios;
    size_t made[3];
    for (int job = 0; job < 3; job++) {
        jobs[job].run(100);
        allocations = 0;
        jobs[job].run(100);
        made[job] = (allocations + 50) / 100;
    }
    for (int round = 0; round < rounds; round++) {
        for (int job = 0; job < 3; job++) {
            const double start = cpu_time();
            jobs[job].run(requests);
            taken[job].push_back((cpu_time() - start) / requests);
        }
        ratios.push_back(taken[2].back() / taken[1].back());
    }
    std::printf("%zu bytes of JSON, %d rounds of %d requests; CPU in us, medians\n", body.size(), rounds, requests);
    for (int job = 0; job < 3; job++)
        std::printf("%-34s %8.2f us %5zu allocations\n", jobs[job].name, median(taken[job]), made[job]);
    std::printf("%-34s %8.3f\n", "ratio to libcurl and RapidJSON", median(ratios));
    routable_request_free(request);
    routable_client_free(client);
    routable_router_free(router);
    return 0;
}
