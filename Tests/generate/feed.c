/* Items of pages and of streams, and errors whose bodies have their type or another one, with the generated C header. */
#include "check.h"
#include "feed.h"

#include <routable_pages.h>
#include <routable_transport.h>

static int add(routable_responses *responses, const char *operation, int32_t status, const char *body)
{
    const routable_header type = { { "Content-Type", 12 }, { "application/json", 16 } };
    routable_reply reply = ROUTABLE_REPLY_INIT;
    routable_canned canned = ROUTABLE_CANNED_INIT;
    reply.http_status = status;
    reply.headers = &type;
    reply.header_count = 1;
    reply.body = routable_str_from(body);
    canned.operation = operation;
    canned.reply = &reply;
    return routable_responses_add(responses, &canned, NULL) == ROUTABLE_OK;
}

/* The text of each post of each page. */
static int pages(feed *api, const routable_client *client)
{
    routable_request *request = NULL;
    routable_pages *pages = NULL;
    routable_error *error = NULL;
    routable_str item;
    routable_status status;
    CHECK(feed_posts_request(api, NULL, &request, &error) == ROUTABLE_OK);
    CHECK(routable_pages_new(client, request, NULL, &pages, &error) == ROUTABLE_OK);
    while ((status = routable_pages_next(pages, NULL, NULL, &error)) == ROUTABLE_OK)
        while (routable_pages_item(pages, &item, NULL) == ROUTABLE_OK) {
            feed_post_data_result post = FEED_POST_DATA_RESULT_INIT;
            CHECK(feed_posts_item_from_json(item, &post, &error) == ROUTABLE_OK);
            CHECK(post.value && post.outcome == ROUTABLE_OUTCOME_SELF);
            printf("%s", post.value->text.ptr);
            feed_post_data_result_free(&post);
        }
    CHECK(status == ROUTABLE_IDLE);
    puts("");
    routable_pages_free(pages);
    routable_request_free(request);
    return 0;
}

/* An item that is not a post has no value; an item that is not JSON is an error. */
static int items(void)
{
    feed_post_data_result post = FEED_POST_DATA_RESULT_INIT;
    routable_error *error = NULL;
    CHECK(feed_live_item_from_json(routable_str_from("{\"id\":4,\"text\":\"d\"}"), &post, &error) == ROUTABLE_OK);
    CHECK(post.value && post.value->id == 4);
    feed_post_data_result_free(&post);
    CHECK(feed_export_item_from_json(routable_str_from("{\"id\":\"4\"}"), &post, &error) == ROUTABLE_OK);
    CHECK(!post.value && post.outcome == ROUTABLE_OUTCOME_RAW);
    feed_post_data_result_free(&post);
    CHECK(feed_live_item_from_json(routable_str_from("[DONE]"), &post, &error) == ROUTABLE_ERR_JSON);
    CHECK(!post.value && !post.memory);
    routable_error_free(error);
    return 0;
}

static int fails(feed *api, const routable_client *client, routable_error_body wanted, int64_t code)
{
    feed_posts_result_data_result result = FEED_POSTS_RESULT_DATA_RESULT_INIT;
    feed_posts_errors errors = FEED_POSTS_ERRORS_INIT;
    routable_error *error = NULL;
    CHECK(feed_posts(api, NULL, client, &result, &error) == ROUTABLE_ERR_HTTP_STATUS);
    CHECK(feed_posts_errors_of(error, &errors) == (wanted == ROUTABLE_ERROR_BODY_TYPED));
    CHECK(errors.body == wanted && errors.http_status == routable_error_http_status(error));
    CHECK((errors.s404 ? errors.s404->code : 0) == code);
    CHECK(wanted != ROUTABLE_ERROR_BODY_MISFIT || routable_response_deviation_count(routable_error_response(error)) > 0);
    feed_posts_errors_free(&errors);
    routable_error_free(error);
    return 0;
}

int main(int count, char **words)
{
    feed api;
    routable_responses *responses = NULL;
    routable_client *client = NULL;
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    CHECK(count == 2 && feed_open_file(&api, words[1], NULL, NULL) == ROUTABLE_OK);
    CHECK(routable_responses_new(&responses, NULL) == ROUTABLE_OK);
    options.transport = routable_responses_answer;
    options.transport_user_data = responses;
    CHECK(routable_client_new(&options, &client, NULL) == ROUTABLE_OK);
    CHECK(add(responses, "posts", 200, "{\"data\":[{\"id\":1,\"text\":\"a\"},{\"id\":2,\"text\":\"b\"}],\"next\":\"2\"}"));
    CHECK(add(responses, "posts", 200, "{\"data\":[{\"id\":3,\"text\":\"c\"}]}"));
    CHECK(pages(&api, client) == 0 && items() == 0);
    CHECK(add(responses, "posts", 404, "{\"code\":7}") && fails(&api, client, ROUTABLE_ERROR_BODY_TYPED, 7) == 0);
    CHECK(add(responses, "posts", 404, "{\"code\":\"7\"}") && fails(&api, client, ROUTABLE_ERROR_BODY_MISFIT, 0) == 0);
    CHECK(add(responses, "posts", 404, "<p>") && fails(&api, client, ROUTABLE_ERROR_BODY_MISFIT, 0) == 0);
    CHECK(add(responses, "posts", 405, "{\"code\":7}") && fails(&api, client, ROUTABLE_ERROR_BODY_NONE, 0) == 0);
    routable_client_free(client);
    routable_responses_free(responses);
    feed_close(&api);
    return 0;
}
