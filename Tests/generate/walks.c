/* RoutableApp's requests R7 to R12 (docs/statements.md, R) by the generated C header, built, matched and performed: method, URL
 * and body of each; the route, the operation and the ids that its URL matches; and what a transport receives. */
#include "social.h"

#include <stdio.h>

static social api;
static routable_client *client = NULL;

/* Replies with the method, the URL and the body of the request. */
static void echo(routable_exchange *exchange, void *user_data)
{
    char text[1024];
    routable_reply reply = ROUTABLE_REPLY_INIT;
    (void)user_data;
    snprintf(
        text, sizeof text, "%s %s%s%s", routable_exchange_method(exchange).ptr, routable_exchange_url(exchange).ptr,
        routable_exchange_has_body(exchange) ? " " : "", routable_exchange_body(exchange).ptr);
    reply.body = routable_str_from(text);
    if (routable_exchange_reply(exchange, &reply, NULL) != ROUTABLE_OK)
        puts("the reply was refused");
}

/* Prints the route, the operation and the ids that the URL of the request matches. */
static int show_match(const routable_request *request)
{
    const routable_router *const router = api.typed.router;
    const routable_str url = routable_request_url(request);
    routable_match found = ROUTABLE_MATCH_INIT;
    routable_string text = ROUTABLE_STRING_INIT;
    size_t i;
    if (routable_router_match(router, routable_request_method(request).ptr, url, 0, &found) != ROUTABLE_OK ||
        routable_match_route(router, &found, &text) != ROUTABLE_OK)
        return 1;
    printf("  match %s %s", text.ptr, routable_operation_name(routable_match_operation(router, &found)).ptr);
    routable_string_free(&text);
    for (i = 0; i < found.capture_count; i++) {
        if (routable_match_value(&found, url, i, &text) != ROUTABLE_OK)
            return 1;
        printf(" %s", text.ptr);
        routable_string_free(&text);
    }
    puts("");
    return 0;
}

static int show(routable_status status, routable_request *request, routable_error *error)
{
    routable_response *response = NULL;
    if (status == ROUTABLE_OK) {
        printf(
            "%s %s%s%s\n", routable_request_method(request).ptr, routable_request_url(request).ptr,
            routable_request_has_body(request) ? " " : "", routable_request_body(request).ptr);
        if (show_match(request) != 0)
            return 1;
        status = routable_client_perform(client, request, &response, &error);
    }
    if (status == ROUTABLE_OK)
        printf("  perform %s\n", routable_response_body(response).ptr);
    else
        printf("%s\n", routable_error_message(error).ptr);
    routable_response_free(response);
    routable_request_free(request);
    routable_error_free(error);
    return status != ROUTABLE_OK;
}

/* Prints the request, and checks that the URL of the plan is the same. */
static int show_status(social_status at)
{
    routable_request *request = NULL;
    routable_error *error = NULL;
    char url[1024];
    size_t length = 0;
    routable_status status = social_status_read_request(at, &request, &error);
    if (social_status_read_url(at, url, sizeof url, &length, NULL) != ROUTABLE_OK ||
        strcmp(url, routable_request_url(request).ptr) != 0 || length != strlen(url))
        return 1;
    return show(status, request, error);
}

static int show_comment(social_comment at)
{
    routable_request *request = NULL;
    routable_error *error = NULL;
    routable_status status = social_comment_read_request(at, &request, &error);
    return show(status, request, error);
}

int main(void)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_request *request = NULL;
    routable_error *error = NULL;
    const routable_argument one = { "t", routable_value_integer(1) };
    routable_open_input input = routable_form_input(&one, 1);
    social_user fabian, user;
    social_comment comment;
    int failed = 0;
    options.transport = echo;
    if (social_open(&api, NULL, &error) != ROUTABLE_OK || routable_client_new(&options, &client, &error) != ROUTABLE_OK)
        return 1;
    fabian = social_root_user(&api, social_user_id_of("initFabian"));

    failed += show_status(social_user_status(social_root_user(&api, social_user_id_of("2")), social_status_id_of("2")));
    failed += show_comment(social_post_comment(social_root_post(&api, social_post_id_of("54")), social_comment_id_of("43")));
    failed += show_status(social_user_status(fabian, social_status_id_of("2")));
    failed += show_comment(
        social_picture_comment(social_user_picture(fabian, social_picture_id_of("2")), social_comment_id_of("3")));

    comment = social_status_comment(social_user_status(fabian, social_status_id_of("3")), social_comment_id_of("32352"));
    user = social_comment_user(comment, social_user_id_of("fakeUser"));
    {
        routable_status status = social_user_read_request(user, &request, &error);
        failed += show(status, request, error);
    }

    comment = social_picture_comment(
        social_user_picture(fabian, social_picture_id_of("3")), social_comment_id_of("507f191e810c19729de860ea"));
    user = social_comment_user(comment, social_user_id_of("43"));
    comment = social_status_comment(social_user_status(user, social_status_id_of("firstStatus")), social_comment_id_of("27"));
    user = social_comment_user(comment, social_user_id_of("63"));
    comment = social_post_comment(social_user_post(user, social_post_id_of("4d6e5acebcd1b3fac9000002")), social_comment_id_of("82"));
    user = social_comment_user(comment, social_user_id_of("21"));
    failed += show_status(social_user_status(user, social_status_id_of("1")));

    request = NULL;
    {
        routable_status status = social_status_create_request(social_user_status_set(fabian), &input, &request, &error);
        failed += show(status, request, error);
    }
    routable_client_free(client);
    social_close(&api);
    return failed != 0;
}
