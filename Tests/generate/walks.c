/* RoutableApp's requests R7 to R12 (docs/statements.md, R) by the generated C header: method, URL and body of each. */
#include "social.h"

#include <stdio.h>

static int show(routable_status status, routable_request *request, routable_error *error)
{
    if (status == ROUTABLE_OK)
        printf(
            "%s %s%s%s\n", routable_request_method(request).ptr, routable_request_url(request).ptr,
            routable_request_has_body(request) ? " " : "", routable_request_body(request).ptr);
    else
        printf("%s\n", routable_error_message(error).ptr);
    routable_request_free(request);
    routable_error_free(error);
    return status != ROUTABLE_OK;
}

/* The request, and the URL of the plan, which is the same. */
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
    social api;
    routable_request *request = NULL;
    routable_error *error = NULL;
    const routable_argument one = { "t", routable_value_integer(1) };
    routable_open_input input = routable_form_input(&one, 1);
    social_user fabian, user;
    social_comment comment;
    int failed = 0;
    if (social_open(&api, NULL, &error) != ROUTABLE_OK)
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
    social_close(&api);
    return failed != 0;
}
