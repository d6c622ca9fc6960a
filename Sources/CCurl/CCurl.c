/* CCurl.c - opens libcurl, and contains the code for it that must be in C. */
#define _GNU_SOURCE
#include "side.h"
#include "CSystemLibrary.h"
#include "CSystemMemory.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct ccurl_table ccurl;

CSYSTEM_LIBRARY_NOTE(
    "[{\"soname\":[\"libcurl.so.4\"],\"feature\":\"perform\",\"description\":\"Performing requests over HTTP\","
    "\"priority\":\"recommended\"}]");

/* --- Opening --- */

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static int32_t load(const char *name, char *reason, size_t capacity)
{
    struct ccurl_table table = { 0 };
    curl_version_info_data *info;
    const struct csystem_symbol wanted[] = {
        { "curl_global_init", &table.global_init },
        { "curl_version_info", &table.version_info },
        { "curl_easy_init", &table.easy_init },
        { "curl_easy_cleanup", &table.easy_cleanup },
        { "curl_easy_setopt", &table.easy_setopt },
        { "curl_easy_getinfo", &table.easy_getinfo },
        { "curl_easy_perform", &table.easy_perform },
        { "curl_easy_pause", &table.easy_pause },
        { "curl_slist_append", &table.slist_append },
        { "curl_slist_free_all", &table.slist_free_all },
        { "curl_multi_init", &table.multi_init },
        { "curl_multi_cleanup", &table.multi_cleanup },
        { "curl_multi_setopt", &table.multi_setopt },
        { "curl_multi_add_handle", &table.multi_add_handle },
        { "curl_multi_remove_handle", &table.multi_remove_handle },
        { "curl_multi_socket_action", &table.multi_socket_action },
        { "curl_multi_info_read", &table.multi_info_read },
        { "curl_share_init", &table.share_init },
        { "curl_share_setopt", &table.share_setopt },
        { "curl_share_cleanup", &table.share_cleanup },
    };
    void *const library = csystem_library_open(name, wanted, sizeof wanted / sizeof *wanted, reason, capacity);
    if (!library)
        return -1;
    if (ccurl.version != 0) {
        dlclose(library); /* one reference is enough */
        return 0;
    }
    if (table.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK || !(info = table.version_info(CURLVERSION_NOW))) {
        snprintf(reason, capacity, "it does not initialise");
        return -1; /* libcurl is not closed: its TLS library may have started threads */
    }
    *(void **)&table.url = dlsym(library, "curl_url");
    *(void **)&table.url_cleanup = dlsym(library, "curl_url_cleanup");
    *(void **)&table.url_set = dlsym(library, "curl_url_set");
    if (!table.url_cleanup || !table.url_set)
        table.url = NULL;
    ccurl_find_decoders(library);
    table.version = info->version_num;
    ccurl = table;
    return 0;
}

int32_t ccurl_load(const char *name, char *reason, size_t capacity)
{
    int32_t result;
    pthread_mutex_lock(&loading);
    result = load(name, reason, capacity);
    pthread_mutex_unlock(&loading);
    return result;
}

/* --- Work that libcurl would otherwise do for each transfer --- */

const char *ccurl_environment_http_proxy(void)
{
    const char *const lower = getenv("http_proxy");
    /* In a CGI program, this variable contains the header Proxy of the request (httpoxy). */
    return getenv("REQUEST_METHOD") || (lower && *lower) ? NULL : ccurl_environment_text("HTTP_PROXY");
}

int32_t ccurl_environment_has_proxy(void)
{
    static const char *const names[] = { "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY" };
    size_t i;
    for (i = 0; i < sizeof names / sizeof *names; i++) {
        const char *const value = getenv(names[i]);
        if (value && *value)
            return 1;
    }
    return ccurl_environment_http_proxy() != NULL;
}

const char *ccurl_environment_text(const char *name)
{
    const char *const value = secure_getenv(name);
    return value && *value ? value : NULL;
}

const char *ccurl_content_codings(void)
{
    static const char *const lists[] = {
        NULL, "deflate, gzip", "br", "deflate, gzip, br", "zstd", "deflate, gzip, zstd", "br, zstd", "deflate, gzip, br, zstd",
    };
    const int features = ccurl.version_info(CURLVERSION_NOW)->features;
    /* The headers of an old libcurl may not define the last two bits. */
    return lists[(features & CURL_VERSION_LIBZ ? 1 : 0) | (features & 1 << 23 ? 2 : 0) | (features & 1 << 26 ? 4 : 0)];
}

int32_t ccurl_set_url(CURL *handle, CURLU *parsed, const uint8_t *text)
{
    const char *const url = (const char *)text;
    /* The text is also set: libcurl uses it to send a request again on a new connection. */
    const int32_t code = (int32_t)ccurl.easy_setopt(handle, CURLOPT_URL, url);
    /* Before 8.3, copying a parsed URL removed the zone of an IPv6 address. */
    const int is_parsed = code == 0 && parsed && !strchr(url, '[') &&
        ccurl.url_set(parsed, CURLUPART_URL, url, CURLU_PATH_AS_IS | CURLU_DISALLOW_USER) == CURLUE_OK;
    if (parsed)
        ccurl.easy_setopt(handle, CURLOPT_CURLU, is_parsed ? parsed : NULL);
    return code;
}

/* --- SIGPIPE.  With CURLOPT_NOSIGNAL libcurl leaves it to the caller; since 7.87, it writes in ways that do not raise it, but
 * before, its TLS code did not. --- */

struct ccurl_quiet ccurl_quiet_begin(void)
{
    struct ccurl_quiet quiet = { .is_on = 0 };
    sigset_t pending, pipe;
    if (ccurl.version >= 0x075700)
        return quiet;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    /* A signal that is already pending belongs to the program. */
    if (sigpending(&pending) == 0 && !sigismember(&pending, SIGPIPE))
        quiet.is_on = pthread_sigmask(SIG_BLOCK, &pipe, &quiet.before) == 0;
    return quiet;
}

void ccurl_quiet_end(struct ccurl_quiet quiet)
{
    const struct timespec at_once = { 0, 0 };
    sigset_t pipe;
    if (!quiet.is_on)
        return;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    while (sigtimedwait(&pipe, NULL, &at_once) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &quiet.before, NULL);
}

int32_t ccurl_go_on(CURL *handle)
{
    const struct ccurl_quiet quiet = ccurl_quiet_begin();
    const int32_t code = (int32_t)ccurl.easy_pause(handle, CURLPAUSE_CONT);
    ccurl_quiet_end(quiet);
    return code == CURLE_BAD_FUNCTION_ARGUMENT ? 0 : code; /* there is no connection yet, so that no bytes are deferred */
}

void ccurl_easy_cleanup(CURL *handle)
{
    const struct ccurl_quiet quiet = ccurl_quiet_begin();
    ccurl.easy_cleanup(handle);
    ccurl_quiet_end(quiet);
}

/* --- Sharing --- */

struct ccurl_share {
    CURLSH *share;
    pthread_mutex_t locks[CURL_LOCK_DATA_LAST];
};

static void lock(CURL *handle, curl_lock_data data, curl_lock_access access, void *user_data)
{
    struct ccurl_share *share = user_data;
    (void)handle;
    (void)access;
    if ((size_t)data < CURL_LOCK_DATA_LAST)
        pthread_mutex_lock(&share->locks[data]);
}

static void unlock(CURL *handle, curl_lock_data data, void *user_data)
{
    struct ccurl_share *share = user_data;
    (void)handle;
    if ((size_t)data < CURL_LOCK_DATA_LAST)
        pthread_mutex_unlock(&share->locks[data]);
}

ccurl_share *ccurl_share_new(int32_t has_cookies)
{
    size_t i;
    struct ccurl_share *share = csystem_allocate(sizeof *share);
    if (!share)
        return NULL;
    share->share = ccurl.share_init();
    if (!share->share) {
        csystem_free(share);
        return NULL;
    }
    for (i = 0; i < CURL_LOCK_DATA_LAST; i++)
        pthread_mutex_init(&share->locks[i], NULL);
    ccurl.share_setopt(share->share, CURLSHOPT_LOCKFUNC, lock);
    ccurl.share_setopt(share->share, CURLSHOPT_UNLOCKFUNC, unlock);
    ccurl.share_setopt(share->share, CURLSHOPT_USERDATA, (void *)share);
    /* A libcurl that cannot share one of these is also accepted. */
    ccurl.share_setopt(share->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS);
    ccurl.share_setopt(share->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
    if (has_cookies)
        ccurl.share_setopt(share->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
    return share;
}

void ccurl_share_free(ccurl_share *share)
{
    size_t i;
    ccurl.share_cleanup(share->share);
    for (i = 0; i < CURL_LOCK_DATA_LAST; i++)
        pthread_mutex_destroy(&share->locks[i]);
    csystem_free(share);
}

int32_t ccurl_set_share(CURL *handle, ccurl_share *share)
{
    return (int32_t)ccurl.easy_setopt(handle, CURLOPT_SHARE, share->share);
}
