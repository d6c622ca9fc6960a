/* CCurl.h - libcurl for Swift: opened when it is first required, and never linked.
 *
 * If it were linked, libcurl would cost every program 4 ms, 6 MB and about 28 packages, even if the program only builds or matches.
 * The functions in use are in a table that ccurl_load fills; the wrappers below provide typed calls instead of varargs.
 * <curl/curl.h> is required only to compile. */
#ifndef ROUTABLE_CCURL_H
#define ROUTABLE_CCURL_H

#include <curl/curl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct ccurl_quiet {
    sigset_t before;
    int is_on;
};

/* Used only by the wrappers below, which declare nullability. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-completeness"

/* The functions of libcurl.so.4 in use, with their names without "curl_". */
struct ccurl_table {
    uint32_t version; /* version of the opened library, 0x075801 for 7.88.1; 0 before it is opened */
    CURLcode (*global_init)(long);
    curl_version_info_data *(*version_info)(CURLversion);
    CURL *(*easy_init)(void);
    void (*easy_cleanup)(CURL *);
    CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
    CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
    CURLcode (*easy_perform)(CURL *);
    CURLcode (*easy_pause)(CURL *, int);
    struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
    void (*slist_free_all)(struct curl_slist *);
    CURLM *(*multi_init)(void);
    CURLMcode (*multi_cleanup)(CURLM *);
    CURLMcode (*multi_setopt)(CURLM *, CURLMoption, ...);
    CURLMcode (*multi_add_handle)(CURLM *, CURL *);
    CURLMcode (*multi_remove_handle)(CURLM *, CURL *);
    CURLMcode (*multi_socket_action)(CURLM *, curl_socket_t, int, int *);
    CURLMsg *(*multi_info_read)(CURLM *, int *);
    CURLSH *(*share_init)(void);
    CURLSHcode (*share_setopt)(CURLSH *, CURLSHoption, ...);
    CURLSHcode (*share_cleanup)(CURLSH *);
    /* NULL before 7.62. */
    CURLU *(*url)(void);
    void (*url_cleanup)(CURLU *);
    CURLUcode (*url_set)(CURLU *, CURLUPart, const char *, unsigned int);
};

#pragma clang diagnostic pop

/* Filled once by ccurl_load and constant from then on. */
__attribute__((visibility("hidden"))) extern struct ccurl_table ccurl;

/* Opens the library with this name (libcurl.so.4) and fills the table, once; later calls only check that it is open.  Any thread
 * may call this function.  Returns 0, or -1 with the reason in `reason`, cut to `capacity`, with a NUL; after a failure the next
 * call tries again.
 *
 * Since 7.84, the initialization of libcurl is thread-safe; with an older version, the first client must be created while no other
 * thread initializes libcurl. */
int32_t ccurl_load(const char *_Nonnull name, char *_Nonnull reason, size_t capacity);

/* --- Handles.  A handle is used by one thread at a time. --- */

static inline CURL *_Nullable ccurl_easy_init(void) { return ccurl.easy_init(); }

/* Must enclose calls that may raise a SIGPIPE in an old libcurl. */
struct ccurl_quiet ccurl_quiet_begin(void);
void ccurl_quiet_end(struct ccurl_quiet quiet);

typedef size_t (*ccurl_take)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable user_data);

/* The data that belongs to a handle: the decoders of its response, and the sockets of its connections (decode.c, kept.c).  NULL if
 * memory cannot be allocated.  ccurl_loop_ended returns the owner.  Freed after the handle. */
typedef struct ccurl_side ccurl_side;
ccurl_side *_Nullable ccurl_side_new(CURL *_Nonnull handle, void *_Nonnull owner);
void ccurl_side_free(ccurl_side *_Nonnull side);

/* Enables decoding of compressed responses, by this code or by libcurl. */
int32_t ccurl_side_decode(ccurl_side *_Nonnull side, CURL *_Nonnull handle);
/* The function to set as the callback of libcurl, with the side as its argument, so that `body` is called with decoded bytes. */
ccurl_take _Nonnull ccurl_side_taker(ccurl_side *_Nonnull side, ccurl_take _Nonnull body, void *_Nullable user_data);
/* Adds a value of the header Content-Encoding of the response whose body follows, in the order of the headers. */
void ccurl_side_coding(ccurl_side *_Nonnull side, const void *_Nullable value, size_t count);
/* Removes the state of the previous response. */
void ccurl_side_forget(ccurl_side *_Nonnull side);
/* Called before each attempt.  If a reused connection is closed before a response begins, libcurl sends the request again on a new
 * connection, whatever its method is.  `sends_once` is 1 for a request for which this is not allowed, because the server may have
 * processed it.  libcurl before 7.80 ignores it. */
void ccurl_side_begin(ccurl_side *_Nonnull side, int32_t sends_once);
/* Called when the transfer has ended with this code.  Returns the code, or a more specific one: 61 for a body that is not in its
 * coding, 18 for one that is truncated, 52 for a request without a response that was not sent again. */
int32_t ccurl_side_end(ccurl_side *_Nonnull side, int32_t code);

/* Both functions block a SIGPIPE of an old libcurl, which CURLOPT_NOSIGNAL alone does not.  A connection that has bytes to read is
 * not used again. */
int32_t ccurl_easy_perform(CURL *_Nonnull handle, ccurl_side *_Nonnull side);
void ccurl_easy_cleanup(CURL *_Nonnull handle);

/* --- Options: each function returns a CURLcode; 48 means that this libcurl does not support the option. --- */

static inline int32_t ccurl_set_long(CURL *_Nonnull handle, CURLoption option, long value)
{
    return (int32_t)ccurl.easy_setopt(handle, option, value);
}

/* libcurl copies the text, which is NUL-terminated. */
static inline int32_t ccurl_set_text(CURL *_Nonnull handle, CURLoption option, const uint8_t *_Nullable text)
{
    return (int32_t)ccurl.easy_setopt(handle, option, (const char *)text);
}

/* Whether the environment has a proxy, in any of the variables that libcurl reads, or in HTTP_PROXY. */
int32_t ccurl_environment_has_proxy(void);
/* The proxy for http in HTTP_PROXY, which libcurl does not read; NULL for none, or if http_proxy has precedence. */
const char *_Nullable ccurl_environment_http_proxy(void);

/* The value of an environment variable; NULL if it is not set, and in a process with raised privileges. */
const char *_Nullable ccurl_environment_text(const char *_Nonnull name);

/* The content codings that this libcurl decodes, in the format of Accept-Encoding; NULL for none. */
const char *_Nullable ccurl_content_codings(void);

/* A URL that is parsed once, and not for every transfer.  NULL if memory cannot be allocated, or if libcurl is too old. */
static inline CURLU *_Nullable ccurl_url_new(void) { return ccurl.url ? ccurl.url() : NULL; }
static inline void ccurl_url_free(CURLU *_Nullable url)
{
    if (url)
        ccurl.url_cleanup(url);
}

/* Sets the URL of a handle; `parsed` belongs to the handle and is freed after it, or is NULL. */
int32_t ccurl_set_url(CURL *_Nonnull handle, CURLU *_Nullable parsed, const uint8_t *_Nonnull text);

/* libcurl stores the pointer: the list must exist as long as the handle uses it. */
static inline int32_t ccurl_set_headers(CURL *_Nonnull handle, struct curl_slist *_Nullable list)
{
    return (int32_t)ccurl.easy_setopt(handle, CURLOPT_HTTPHEADER, list);
}

/* Sets a request body.  libcurl stores the pointer until the next call of this function. */
static inline int32_t ccurl_set_body(CURL *_Nonnull handle, const void *_Nullable bytes, size_t count)
{
    int32_t code = (int32_t)ccurl.easy_setopt(handle, CURLOPT_POST, 1L);
    if (code == 0)
        code = (int32_t)ccurl.easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    /* With NULL, libcurl would read standard input. */
    return code != 0 ? code : (int32_t)ccurl.easy_setopt(handle, CURLOPT_POSTFIELDS, bytes ? bytes : "");
}

/* Sets a request body that is read while it is sent; `length` is -1 if it is unknown.  `again`, which rewinds the body, returns 0,
 * or 2 if this is not possible.  Valid until the next call of ccurl_set_body. */
typedef size_t (*ccurl_give)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable user_data);
typedef int (*ccurl_again)(void *_Nullable user_data, curl_off_t offset, int origin);
static inline int32_t ccurl_set_upload(
    CURL *_Nonnull handle, int64_t length, ccurl_give _Nonnull give, ccurl_again _Nonnull again, void *_Nullable user_data)
{
    int32_t code = (int32_t)ccurl.easy_setopt(handle, CURLOPT_POST, 1L);
    if (code == 0)
        code = (int32_t)ccurl.easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
    if (code == 0)
        code = (int32_t)ccurl.easy_setopt(handle, CURLOPT_POSTFIELDS, NULL);
    if (code == 0)
        code = (int32_t)ccurl.easy_setopt(handle, CURLOPT_READFUNCTION, give);
    if (code == 0)
        code = (int32_t)ccurl.easy_setopt(handle, CURLOPT_READDATA, user_data);
    if (code == 0)
        code = (int32_t)ccurl.easy_setopt(handle, CURLOPT_SEEKFUNCTION, again);
    return code != 0 ? code : (int32_t)ccurl.easy_setopt(handle, CURLOPT_SEEKDATA, user_data);
}
#define CCURL_GIVE_ABORT ((size_t)CURL_READFUNC_ABORT)
#define CCURL_GIVE_PAUSE ((size_t)CURL_READFUNC_PAUSE)
#define CCURL_TAKE_PAUSE ((size_t)CURL_WRITEFUNC_PAUSE)

/* Sets the progress callback; NULL for none.  A result other than 0 ends the transfer. */
typedef int (*ccurl_tell)(
    void *_Nullable user_data, curl_off_t to_take, curl_off_t taken, curl_off_t to_give, curl_off_t given);
static inline int32_t ccurl_set_progress(CURL *_Nonnull handle, ccurl_tell _Nullable tell, void *_Nullable user_data)
{
    int32_t code = (int32_t)ccurl.easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, tell);
    if (code == 0)
        code = (int32_t)ccurl.easy_setopt(handle, CURLOPT_XFERINFODATA, user_data);
    return code != 0 ? code : (int32_t)ccurl.easy_setopt(handle, CURLOPT_NOPROGRESS, tell ? 0L : 1L);
}

/* Continues a transfer that its callbacks paused; they may be called before this function returns.  A result other than 0 ends the
 * transfer. */
int32_t ccurl_go_on(CURL *_Nonnull handle);

/* libcurl writes the text of a failure to the buffer: CURL_ERROR_SIZE bytes that must exist longer than the handle. */
static inline int32_t ccurl_set_error_buffer(CURL *_Nonnull handle, char *_Nonnull buffer)
{
    return (int32_t)ccurl.easy_setopt(handle, CURLOPT_ERRORBUFFER, buffer);
}

/* Sets the callbacks for header lines and for decoded body bytes.  A result other than size * count ends the transfer. */
static inline int32_t ccurl_set_takers(CURL *_Nonnull handle, ccurl_side *_Nonnull side, ccurl_take _Nonnull head,
    ccurl_take _Nonnull body, void *_Nullable user_data)
{
    int32_t code = (int32_t)ccurl.easy_setopt(handle, CURLOPT_HEADERFUNCTION, head);
    if (code == 0)
        code = (int32_t)ccurl.easy_setopt(handle, CURLOPT_HEADERDATA, user_data);
    if (code == 0)
        code = (int32_t)ccurl.easy_setopt(handle, CURLOPT_WRITEFUNCTION, ccurl_side_taker(side, body, user_data));
    return code != 0 ? code : (int32_t)ccurl.easy_setopt(handle, CURLOPT_WRITEDATA, (void *)side);
}

/* Allows only http and https, for the request and for redirects. */
static inline int32_t ccurl_set_protocols(CURL *_Nonnull handle)
{
    /* CURLOPT_PROTOCOLS_STR and CURLOPT_REDIR_PROTOCOLS_STR exist since 7.85; older versions have an option with a bit mask. */
    const long mask = 1L << 0 | 1L << 1;
    int32_t code = (int32_t)ccurl.easy_setopt(handle, (CURLoption)10318, "http,https");
    if (code == 0)
        return (int32_t)ccurl.easy_setopt(handle, (CURLoption)10319, "http,https");
    code = (int32_t)ccurl.easy_setopt(handle, (CURLoption)181, mask);
    return code != 0 ? code : (int32_t)ccurl.easy_setopt(handle, (CURLoption)182, mask);
}

/* The absolute URL to which the response redirects; NULL for none.  Valid until the next use of the handle. */
static inline const char *_Nullable ccurl_redirect_url(CURL *_Nonnull handle)
{
    char *url = NULL;
    return ccurl.easy_getinfo(handle, CURLINFO_REDIRECT_URL, &url) == CURLE_OK ? url : NULL;
}

/* Whether the last transfer began to send its request. */
static inline int32_t ccurl_was_connected(CURL *_Nonnull handle)
{
    double seconds = 0;
    return ccurl.easy_getinfo(handle, CURLINFO_PRETRANSFER_TIME, &seconds) == CURLE_OK && seconds > 0;
}

/* The times of the phases of the last transfer, in microseconds from its start. */
struct ccurl_times {
    int64_t name_lookup, connect, tls, first_byte, total;
    int32_t connections; /* number of new connections */
};

static inline void ccurl_read_times(CURL *_Nonnull handle, struct ccurl_times *_Nonnull times)
{
    curl_off_t all[5] = { 0, 0, 0, 0, 0 };
    long connections = 0;
    /* CURLINFO_NAMELOOKUP_TIME_T and the other options exist since 7.61. */
    ccurl.easy_getinfo(handle, CURLINFO_NAMELOOKUP_TIME_T, &all[0]);
    ccurl.easy_getinfo(handle, CURLINFO_CONNECT_TIME_T, &all[1]);
    ccurl.easy_getinfo(handle, CURLINFO_APPCONNECT_TIME_T, &all[2]);
    ccurl.easy_getinfo(handle, CURLINFO_STARTTRANSFER_TIME_T, &all[3]);
    ccurl.easy_getinfo(handle, CURLINFO_TOTAL_TIME_T, &all[4]);
    ccurl.easy_getinfo(handle, CURLINFO_NUM_CONNECTS, &connections);
    times->name_lookup = all[0];
    times->connect = all[1];
    times->tls = all[2];
    times->first_byte = all[3];
    times->total = all[4];
    times->connections = (int32_t)connections;
}

static inline int32_t ccurl_same(const void *_Nonnull one, const void *_Nonnull other, size_t count)
{
    return memcmp(one, other, count) == 0;
}

/* --- Cookies, and options that the program sets --- */

/* All cookies as lines of a Netscape cookie file; NULL for none.  The caller frees the list with ccurl_list_free. */
static inline struct curl_slist *_Nullable ccurl_cookies(CURL *_Nonnull handle)
{
    struct curl_slist *list = NULL;
    return ccurl.easy_getinfo(handle, CURLINFO_COOKIELIST, &list) == CURLE_OK ? list : NULL;
}

/* curl_easy_setopt. */
static inline void *_Nullable ccurl_setopt(void) { return *(void **)&ccurl.easy_setopt; }

/* --- Lists --- */

/* The list with a copy of the line at its end; NULL, with the list unchanged, if memory cannot be allocated. */
static inline struct curl_slist *_Nullable ccurl_list_append(
    struct curl_slist *_Nullable list, const uint8_t *_Nonnull line)
{
    return ccurl.slist_append(list, (const char *)line);
}

static inline void ccurl_list_free(struct curl_slist *_Nullable list) { ccurl.slist_free_all(list); }

/* --- Data that handles share: name lookups and TLS sessions, but no connections --- */

typedef struct ccurl_share ccurl_share;

/* NULL if memory cannot be allocated.  Freed after the last handle that uses it.  `has_cookies`: the handles share a cookie jar. */
ccurl_share *_Nullable ccurl_share_new(int32_t has_cookies);
void ccurl_share_free(ccurl_share *_Nonnull share);
int32_t ccurl_set_share(CURL *_Nonnull handle, ccurl_share *_Nonnull share);

/* --- A loop: many handles, one descriptor to wait on (loop.c) ---
 *
 * Used by one thread at a time, except for ccurl_loop_wake. */

typedef struct ccurl_loop ccurl_loop;

/* Ends the waits of a client: a counter, which each wait compares. */
typedef struct ccurl_interruption ccurl_interruption;
ccurl_interruption *_Nullable ccurl_interruption_new(void);
void ccurl_interruption_free(ccurl_interruption *_Nonnull interruption);
/* Signal handlers may call this function. */
void ccurl_interruption_raise(ccurl_interruption *_Nonnull interruption);
uint32_t ccurl_interruption_count(const ccurl_interruption *_Nonnull interruption);

/* Keeps this number of idle connections; negative: a loop without libcurl, for transports.  NULL if there is no memory or no
 * descriptor. */
ccurl_loop *_Nullable ccurl_loop_new(long connections, ccurl_interruption *_Nullable interruption);
/* Called after the last handle was removed. */
void ccurl_loop_free(ccurl_loop *_Nonnull loop);
/* Called in a process that was forked from that of the loop: closes the descriptors and changes nothing else, since the connections
 * belong to the parent. */
void ccurl_loop_abandon(ccurl_loop *_Nonnull loop);

/* Associates the handle with the loop: called once, before it is added. */
int32_t ccurl_loop_adopt(ccurl_loop *_Nonnull loop, CURL *_Nonnull handle);
/* Begins the transfer of a handle.  Returns 0, or a CURLMcode. */
int32_t ccurl_loop_add(ccurl_loop *_Nonnull loop, CURL *_Nonnull handle);
/* Ends the transfer of a handle, complete or not. */
void ccurl_loop_remove(ccurl_loop *_Nonnull loop, CURL *_Nonnull handle);

/* Waits at most this time for an event (0: no wait, negative: no limit) and lets libcurl process it.  Returns whether a signal
 * ended the wait. */
int32_t ccurl_loop_step(ccurl_loop *_Nonnull loop, int64_t milliseconds);
/* Begins a turn of the program: in a turn, libcurl may work for some milliseconds, in addition to one call for each socket that is
 * ready. */
void ccurl_loop_begin_turn(ccurl_loop *_Nonnull loop);
/* Lets libcurl do the work that is due. */
void ccurl_loop_flush(ccurl_loop *_Nonnull loop);
/* The owner of a handle whose transfer has ended, with its CURLcode; NULL if there is none. */
void *_Nullable ccurl_loop_ended(ccurl_loop *_Nonnull loop, int32_t *_Nonnull code);

/* The descriptor, which is readable when a step has work to do. */
int32_t ccurl_loop_descriptor(ccurl_loop *_Nonnull loop);
/* Makes the descriptor readable at this time (INT64_MAX: never), or earlier if libcurl requires it. */
void ccurl_loop_arm(ccurl_loop *_Nonnull loop, int64_t monotonic_ms);
/* Ends the present wait or the next one.  Any thread and signal handlers may call this function. */
void ccurl_loop_wake(ccurl_loop *_Nonnull loop);

#endif
