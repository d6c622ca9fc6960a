/* static.c - a program of musl, linked statically: routes and plans work, and a client fails with ROUTABLE_ERR_NO_CURL,
 * since a static program of musl cannot load libraries. */
#include <routable.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Debian's archives of jansson and PCRE2 are made for glibc with _FORTIFY_SOURCE, whose functions musl does not have. */
int __snprintf_chk(char *text, size_t size, int flag, size_t room, const char *format, ...)
{
    va_list words;
    int length;
    (void)flag;
    (void)room;
    va_start(words, format);
    length = vsnprintf(text, size, format, words);
    va_end(words);
    return length;
}

int __vsnprintf_chk(char *text, size_t size, int flag, size_t room, const char *format, va_list words)
{
    (void)flag;
    (void)room;
    return vsnprintf(text, size, format, words);
}

void *__memcpy_chk(void *to, const void *from, size_t count, size_t room)
{
    (void)room;
    return memcpy(to, from, count);
}

char *__strncpy_chk(char *to, const char *from, size_t count, size_t room)
{
    (void)room;
    return strncpy(to, from, count);
}

static int fail(const char *what, routable_status status, routable_error *error)
{
    printf("%s: %s: %s\n", what, routable_status_name(status), error ? routable_error_message(error).ptr : "");
    return 1;
}

int main(int count, char **arguments)
{
    static const char path[] = "/users/initFabian/statuses/3";
    routable_router *api = NULL;
    routable_client *client = NULL;
    routable_string route = { NULL, 0 };
    routable_error *error = NULL;
    routable_match match;
    routable_status status;
    if (count != 2)
        return 2;
    status = routable_router_open_file(arguments[1], NULL, &api, &error);
    if (status != ROUTABLE_OK)
        return fail("open", status, error);
    status = routable_router_match(api, "GET", routable_str_from_bytes(path, sizeof path - 1), 0, &match);
    if (status != ROUTABLE_OK || routable_match_route(api, &match, &route) != ROUTABLE_OK)
        return fail("match", status, NULL);
    puts(route.ptr);
    routable_string_free(&route);
    status = routable_client_new(NULL, &client, &error);
    if (status != ROUTABLE_ERR_NO_CURL)
        return fail("client", status, error);
    puts(routable_status_name(status));
    routable_error_free(error);
    error = NULL;
    routable_router_free(api);
    status = routable_router_open_file("/nowhere", NULL, &api, &error); /* the message contains that of errno */
    printf("%s: %s\n", routable_status_name(status), routable_error_message(error).ptr);
    routable_error_free(error);
    return 0;
}
