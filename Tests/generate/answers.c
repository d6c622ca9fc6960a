/* Reading and writing with the generated C header: bodies as structs with absent and null members, responses as structs, and both
 * with the sample service, whose base URL is the first argument. */
#include "check.h"
#include "service.h"
#include "shop.h"

#include <locale.h>
#include <stdio.h>

static const char whole[] =
    "{\"id\":9007199254740993,\"state\":\"open\",\"note\":null,\"total\":0.1,\"paid\":true,\"tags\":[\"a\\\"b\",\"\\u00e9\\ud83d\\ude03\"],"
    "\"sizes\":[-1,2],\"parts\":[{\"name\":\"x\",\"weight\":null},{\"name\":\"y\",\"count\":2,\"weight\":1.5}],"
    "\"parent\":{\"id\":1,\"state\":\"sent\",\"note\":\"n\",\"parts\":[]},\"address\":{\"street\":\"s\"},\"class\":\"c\","
    "\"extra\":{\"k\":[1,null]}}";

static routable_response *mapped(shop *api, const char *route, const char *operation, const char *body)
{
    routable_response *response = NULL;
    routable_error *error = NULL;
    if (routable_response_map(
            api->typed.router, route, operation, 200, NULL, 0, routable_str_from(body), &response, &error) != ROUTABLE_OK)
        puts(routable_error_message(error).ptr);
    routable_error_free(error);
    return response;
}

static int is(routable_str text, const char *wanted)
{
    return text.ptr && text.len == strlen(wanted) && strcmp(text.ptr, wanted) == 0;
}

static int reads_and_writes(shop *api)
{
    shop_order_data_result result = SHOP_ORDER_DATA_RESULT_INIT;
    shop_order_data_list_result list = SHOP_ORDER_DATA_LIST_RESULT_INIT;
    shop_integer_result count = SHOP_INTEGER_RESULT_INIT;
    routable_request *request = NULL;
    routable_error *error = NULL;
    const shop_order_data *order;
    shop_order_read_from_response(mapped(api, "order", "read", whole), &result);
    order = result.value;
    CHECK(order && result.http_status == 200 && result.outcome == ROUTABLE_OUTCOME_SELF);
    CHECK(order->id == 9007199254740993 && shop_order_state_data_is(order->state) == SHOP_ORDER_STATE_DATA_OPEN && order->note.is == ROUTABLE_IS_NULL);
    CHECK(order->total.is == ROUTABLE_PRESENT && order->total.value == 0.1 && order->paid.value);
    CHECK(order->tags.is == ROUTABLE_PRESENT && order->tags.value.count == 2 && is(order->tags.value.items[0], "a\"b"));
    CHECK(is(order->tags.value.items[1], "\303\251\360\237\230\203"));
    CHECK(order->sizes.value.count == 2 && order->sizes.value.items[0] == -1);
    CHECK(order->parts.count == 2 && is(order->parts.items[1].name, "y") && order->parts.items[1].count.value == 2);
    CHECK(order->parts.items[0].count.is == ROUTABLE_ABSENT && order->parts.items[0].weight.is == ROUTABLE_IS_NULL);
    CHECK(order->parent.is == ROUTABLE_PRESENT && is(order->parent.value->note.value, "n"));
    CHECK(order->parent.value->parent.is == ROUTABLE_ABSENT && is(order->address.value->street, "s"));
    CHECK(is(order->class_.value, "c") && is(order->extra.value.text, "{\"k\":[1,null]}"));

    /* A value that is written and read again is written as the same bytes. */
    CHECK(shop_order_create_request(shop_root_order_set(api), order, &request, &error) == ROUTABLE_OK);
    CHECK(strstr(whole, "\\u00e9") && routable_request_body(request).len > 100);
    {
        shop_order_data_result again = SHOP_ORDER_DATA_RESULT_INIT;
        routable_request *second = NULL;
        shop_order_read_from_response(mapped(api, "order", "read", routable_request_body(request).ptr), &again);
        CHECK(again.value && shop_order_create_request(shop_root_order_set(api), again.value, &second, &error) == ROUTABLE_OK);
        CHECK(is(routable_request_body(second), routable_request_body(request).ptr));
        puts(routable_request_body(second).ptr);
        routable_request_free(second);
        shop_order_data_result_free(&again);
    }
    routable_request_free(request);
    shop_order_data_result_free(&result);
    shop_order_data_result_free(&result);
    CHECK(result.value == NULL && result.response == NULL);

    /* A missing required string is refused by name, and so is a number that is not finite. */
    {
        shop_order_data empty;
        memset(&empty, 0, sizeof empty);
        CHECK(shop_order_create_request(shop_root_order_set(api), &empty, &request, &error) == ROUTABLE_ERR_BODY);
        CHECK(strstr(routable_error_message(error).ptr, "state"));
        routable_error_free(error);
        empty.state = shop_order_state_data_of(SHOP_ORDER_STATE_DATA_OPEN);
        empty.note = routable_some_string("");
        empty.total = routable_some_number(1e308 * 10);
        CHECK(shop_order_create_request(shop_root_order_set(api), &empty, &request, &error) == ROUTABLE_ERR_JSON);
        routable_error_free(error);
        empty.state = shop_order_state_data_of_str(routable_str_from("shut"));
        empty.total.is = ROUTABLE_ABSENT;
        CHECK(shop_order_create_request(shop_root_order_set(api), &empty, &request, &error) == ROUTABLE_ERR_BODY);
        routable_error_free(error);
    }

    /* An order that lacks required members has no value, but its bytes are available. */
    shop_order_read_from_response(mapped(api, "order", "read", "{\"id\":\"1\"}"), &result);
    CHECK(!result.value && result.outcome == ROUTABLE_OUTCOME_SELF && routable_response_body(result.response).len == 10);
    CHECK(routable_response_deviation_count(result.response) > 0);
    CHECK(routable_response_check(result.response, &error) == ROUTABLE_ERR_RESPONSE);
    routable_error_free(error);
    error = NULL;
    shop_order_data_result_free(&result);

    /* An optional member whose value does not have its type is absent, and is listed as a deviation. */
    shop_order_read_from_response(
        mapped(api, "order", "read",
            "{\"id\":1,\"state\":\"lost\",\"note\":7,\"total\":\"0.1\",\"paid\":true,\"tags\":[null],\"parts\":[{\"name\":\"x\",\"count\":\"2\"}]}"),
        &result);
    order = result.value;
    CHECK(order && result.outcome == ROUTABLE_OUTCOME_SELF && routable_response_deviation_count(result.response) >= 5);
    CHECK(order->id == 1 && shop_order_state_data_is(order->state) == SHOP_ORDER_STATE_DATA_OTHER && order->note.is == ROUTABLE_ABSENT);
    CHECK(order->total.is == ROUTABLE_ABSENT && order->paid.value && order->tags.is == ROUTABLE_ABSENT);
    CHECK(order->parts.count == 1 && is(order->parts.items[0].name, "x") && order->parts.items[0].count.is == ROUTABLE_ABSENT);
    shop_order_data_result_free(&result);

    shop_order_list_from_response(
        mapped(api, "order", "list", " [ {\"id\":1,\"state\":\"open\",\"note\":\"\",\"parts\":[],\"\\u0074otal\":2} ] "), &list);
    CHECK(list.value && list.value->count == 1 && list.value->items[0].total.value == 2);
    shop_order_data_list_result_free(&list);
    shop_order_list_from_response(mapped(api, "order", "list", "[]"), &list);
    CHECK(list.value && list.value->count == 0);
    shop_order_data_list_result_free(&list);
    shop_count_from_response(mapped(api, NULL, "count", "12"), &count);
    CHECK(count.value && *count.value == 12);
    shop_integer_result_free(&count);
    shop_count_from_response(mapped(api, NULL, "count", "1e2"), &count);
    CHECK(count.value && *count.value == 100);
    shop_integer_result_free(&count);
    return 0;
}

/* A URL of a response belongs to an operation with a type, or to another one. */
static int follows(shop *api)
{
    routable_link link = ROUTABLE_LINK_INIT;
    routable_request *request = NULL;
    link.url = ROUTABLE_STR("/orders/8");
    CHECK(routable_router_follow(api->typed.router, &link, &request, NULL) == ROUTABLE_OK);
    CHECK(shop_order_read_is(request) && !shop_order_list_is(request) && !shop_count_is(request));
    routable_request_free(request);
    link.url = ROUTABLE_STR("/count");
    CHECK(routable_router_follow(api->typed.router, &link, &request, NULL) == ROUTABLE_OK);
    CHECK(shop_count_is(request) && !shop_order_read_is(request));
    routable_request_free(request);
    link.url = ROUTABLE_STR("https://other.test/orders/8");
    CHECK(routable_router_follow(api->typed.router, &link, &request, NULL) == ROUTABLE_OK);
    CHECK(!shop_order_read_is(request) && !shop_count_is(request) && !shop_count_is(NULL));
    routable_request_free(request);
    return 0;
}

static int finds(shop *api)
{
    static const routable_str tags[] = { { "a b", 3 }, { "c\"", 2 } };
    shop_find_arguments arguments;
    routable_request *request = NULL;
    routable_error *error = NULL;
    memset(&arguments, 0, sizeof arguments);
    CHECK(shop_find_request(api, &arguments, &request, &error) != ROUTABLE_OK);
    routable_error_free(error);
    arguments.kind = routable_str_from("a/b");
    arguments.tags.is = ROUTABLE_PRESENT;
    arguments.tags.value.items = tags;
    arguments.tags.value.count = 2;
    arguments.exact = routable_some_boolean(true);
    arguments.price = routable_some_number(0.5);
    arguments.x_trace = routable_some_string("7");
    CHECK(shop_find_request(api, &arguments, &request, &error) == ROUTABLE_OK);
    puts(routable_request_url(request).ptr);
    CHECK(is(routable_request_header(request, "X-Trace"), "7"));
    routable_request_free(request);
    return 0;
}

/* A walk has the limit of the library. */
static int stays_within_the_limit(service *api)
{
    service_user user = service_root_user(api, service_user_id_of("a"));
    routable_error *error = NULL;
    char url[4096];
    size_t length = 0;
    for (int round = 0; round < 40; round++) {
        service_status status = service_user_status(user, service_status_id_of("1"));
        user = service_comment_user(service_status_comment(status, service_comment_id_of("2")), service_user_id_of("b"));
    }
    CHECK(service_user_read_url(user, url, sizeof url, &length, &error) == ROUTABLE_ERR_LIMIT);
    routable_error_free(error);
    return 0;
}

static int performs(service *api)
{
    routable_client *client = NULL;
    routable_error *error = NULL;
    service_status_data body;
    service_status_data_result status = SERVICE_STATUS_DATA_RESULT_INIT;
    service_result user = SERVICE_RESULT_INIT;
    const routable_argument name = { "username", routable_value_string("ann") };
    routable_open_input input = routable_form_input(&name, 1);
    service_user ann = service_root_user(api, service_user_id_of("ann"));
    CHECK(routable_client_new(NULL, &client, &error) == ROUTABLE_OK);
    CHECK(service_user_create(service_root_user_set(api), &input, client, &user, &error) == ROUTABLE_OK);
    CHECK(user.http_status == 201 && user.response);
    service_result_free(&user);
    memset(&body, 0, sizeof body);
    body.text = routable_str_from("hello \"world\"");
    CHECK(service_status_create(service_user_status_set(ann), &body, client, &status, &error) == ROUTABLE_OK);
    CHECK(status.http_status == 201 && status.value && is(status.value->text, "hello \"world\""));
    service_status_data_result_free(&status);
    CHECK(
        service_status_read(service_user_status(ann, service_status_id_of("none")), client, &status, &error) ==
        ROUTABLE_ERR_HTTP_STATUS);
    CHECK(routable_error_http_status(error) == 404);
    routable_error_free(error);
    routable_client_free(client);
    return 0;
}

int main(int count, char **words)
{
    shop shop_api;
    service service_api;
    routable_error *error = NULL;
    int failed;
    (void)setlocale(LC_ALL, ""); /* the locale with a decimal comma, which the test puts into LOCPATH if it can */
    if (count != 2 || shop_open(&shop_api, NULL, &error) != ROUTABLE_OK ||
        service_open(&service_api, words[1], &error) != ROUTABLE_OK) {
        puts(error ? routable_error_message(error).ptr : "usage: answers BASE");
        return 1;
    }
    failed = reads_and_writes(&shop_api) || finds(&shop_api) || follows(&shop_api) || stays_within_the_limit(&service_api) ||
             performs(&service_api);
    shop_close(&shop_api);
    service_close(&service_api);
    return failed;
}
