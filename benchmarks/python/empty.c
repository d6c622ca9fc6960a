/* empty.c - measures a call through ctypes that does nothing: the parameters and results of routable_workspace_url and
 * routable_workspace_match. */
#include <stddef.h>
#include <stdint.h>

static const char url[] = "https://api.example.com/v1/users/initFabian/statuses/3/comments/32352";
static const char numbers[] = "17 3 9 0 7 10 0 -1 27 1 1 -1 38 5 3 -1";

const char *empty_url(void *scratch, const void *plan, const char *ids, size_t length)
{
    (void)scratch; (void)plan; (void)ids; (void)length;
    return url;
}

const char *empty_match(
    void *scratch, const void *router, const char *method, const char *path, size_t length, uint32_t flags)
{
    (void)scratch; (void)router; (void)method; (void)path; (void)length; (void)flags;
    return numbers;
}
