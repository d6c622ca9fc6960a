/* social.c - the program of the README: builds a request, and prints the error for a rejected one.
 * cc -o social examples/c/social.c $(pkg-config --cflags --libs routable) && ./social examples/social.json */
#include <routable.h>
#include <stdio.h>

int main(int count, char **arguments)
{
    routable_router *social = NULL;
    routable_request *request = NULL;
    routable_error *error = NULL;
    const char *call = "{\"route\":\"user.status.comment.user\",\"operation\":\"read\","
                       "\"ids\":[\"initFabian\",\"3\",\"32352\",\"fakeUser\"]}";
    const char *refused = "{\"route\":\"status\",\"operation\":\"update\",\"ids\":[\"3\"]}";

    if (routable_router_open_file(count > 1 ? arguments[1] : "social.json", NULL, &social, &error) == ROUTABLE_OK &&
        routable_request_new_json(social, call, ROUTABLE_NUL_TERMINATED, &request, &error) == ROUTABLE_OK)
        printf("%s %s\n", routable_request_method(request).ptr, routable_request_url(request).ptr);
    routable_request_free(request);
    request = NULL;
    if (!error && routable_request_new_json(social, refused, ROUTABLE_NUL_TERMINATED, &request, &error) != ROUTABLE_OK)
        puts(routable_error_message(error).ptr);
    routable_request_free(request);
    routable_error_free(error);
    routable_router_free(social);
    return social ? 0 : 1;
}
