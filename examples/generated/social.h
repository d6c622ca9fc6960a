/* social: made by `routable generate c` from social.json.  Do not edit it: generate it again.
 */
#ifndef SOCIAL_ROUTABLE_H
#define SOCIAL_ROUTABLE_H

#include <routable_typed.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The opened description.  Only one thread at a time may use this struct; for another thread, fill a second struct with the
 * same router: social_use(&second, first.typed.router). */
typedef struct social { routable_typed_api typed; } social;
#define SOCIAL_INIT { ROUTABLE_TYPED_API_INIT }

static inline const char *const *social_names(void)
{
    static const char *const names[] = {
        "user",
        "status",
        "picture",
        "comment",
        "post",
        NULL
    };
    return names;
}

/* Opens the description from which this header was generated.  If `base` is NULL, its base is used. */
static inline routable_status social_open(social *api, const char *base, routable_error **error)
{
    static const char *const document[] = {
        "{\"routable\":1,\"name\":\"social\",\"base\":\"https://api.example.com/v1\",\"types\":{\"Status\":{\"type",
        "\":\"object\",\"required\":[\"text\"],\"properties\":{\"text\":{\"type\":\"string\",\"maxLength\":280}}}},\"",
        "resources\":{\"user\":{\"path\":\"users\",\"id\":\"username\",\"can\":[\"list\",\"read\",\"create\",\"update\"]",
        ",\"has\":[\"status\",\"picture\",\"post\"]},\"status\":{\"path\":\"statuses\",\"can\":[\"read\",\"create\",\"de",
        "lete\"],\"has\":[\"comment\"],\"type\":\"Status\"},\"picture\":{\"path\":\"pictures\",\"can\":[\"read\",\"crea",
        "te\",\"update\",\"delete\"],\"has\":[\"comment\"]},\"comment\":{\"path\":\"comments\",\"can\":[\"read\",\"crea",
        "te\",\"update\",\"delete\"],\"has\":[\"user\"]},\"post\":{\"path\":\"posts\",\"can\":[\"read\",\"create\",\"upda",
        "te\",\"delete\"],\"has\":[\"comment\"]}},\"operations\":{\"search\":{\"get\":\"/search\",\"query\":{\"q\":{\"t",
        "ype\":\"string\",\"required\":true},\"page\":{\"type\":\"integer\",\"default\":1}}}}}",
    };
    return routable_typed_open(
        &api->typed, document, sizeof document / sizeof document[0], base, social_names(), error);
}

/* Opens the description in a file, which must be the description from which this header was generated. */
static inline routable_status social_open_file(social *api, const char *path, const char *base, routable_error **error)
{
    return routable_typed_open_file(&api->typed, path, base, social_names(), error);
}

/* Uses a router that is already open.  The program must keep the router while it uses the struct, and free it. */
static inline void social_use(social *api, routable_router *router)
{
    routable_typed_use(&api->typed, router, social_names());
}

static inline void social_close(social *api)
{
    routable_typed_close(&api->typed);
}

/* The result of an operation that declares no type: the response and its body. */
typedef routable_typed_result social_result;
#define SOCIAL_RESULT_INIT ROUTABLE_TYPED_RESULT_INIT

static inline void social_result_free(social_result *result)
{
    routable_typed_result_free(result);
}

/* --- Types --- */

typedef struct social_status_data social_status_data;

struct social_status_data {
    routable_str text;
};
#define SOCIAL_STATUS_DATA_INIT ROUTABLE_TYPED_ZERO

static inline const routable_typed_shape *social_status_data_shape(void);

static inline const routable_typed_shape *social_status_data_shape(void)
{
    static const char names[] =
        "text";
    static const routable_typed_field fields[] = {
        { offsetof(social_status_data, text), 0, ROUTABLE_TYPED_STRING, 128 },
    };
    static const routable_typed_shape shape = {
        names, fields, NULL, NULL, sizeof(social_status_data), 1, ROUTABLE_TYPED_OBJECT
    };
    return &shape;
}

typedef struct social_status_data_result {
    int32_t http_status;
    routable_outcome outcome;
    const social_status_data *value; /* NULL if the body is empty or does not have this type: see `outcome` */
    routable_response *response;
    void *memory;
} social_status_data_result;
#define SOCIAL_STATUS_DATA_RESULT_INIT ROUTABLE_TYPED_RESULT_INIT

static inline void social_status_data_result_set(social_status_data_result *result, const routable_typed_result *from)
{
    result->http_status = from->http_status;
    result->outcome = from->outcome;
    result->value = (const social_status_data *)from->value;
    result->response = from->response;
    result->memory = from->memory;
}

static inline void social_status_data_result_free(social_status_data_result *result)
{
    routable_response_free(result->response);
    routable_typed_free(result->memory);
    memset(result, 0, sizeof *result);
}

/* --- Resources: an id, a member, the set of all members --- */

/* Copies of these structs are independent. The structs borrow the strings of their ids, and a member and a set also
 * borrow the struct of the API: use them only while these exist. */
typedef struct social_user_id { routable_str value; } social_user_id;

static inline social_user_id social_user_id_of(const char *text)
{
    social_user_id id;
    id.value = routable_str_from(text);
    return id;
}

static inline social_user_id social_user_id_of_str(routable_str text)
{
    social_user_id id;
    id.value = text;
    return id;
}

typedef struct social_status_id { routable_str value; } social_status_id;

static inline social_status_id social_status_id_of(const char *text)
{
    social_status_id id;
    id.value = routable_str_from(text);
    return id;
}

static inline social_status_id social_status_id_of_str(routable_str text)
{
    social_status_id id;
    id.value = text;
    return id;
}

typedef struct social_picture_id { routable_str value; } social_picture_id;

static inline social_picture_id social_picture_id_of(const char *text)
{
    social_picture_id id;
    id.value = routable_str_from(text);
    return id;
}

static inline social_picture_id social_picture_id_of_str(routable_str text)
{
    social_picture_id id;
    id.value = text;
    return id;
}

typedef struct social_comment_id { routable_str value; } social_comment_id;

static inline social_comment_id social_comment_id_of(const char *text)
{
    social_comment_id id;
    id.value = routable_str_from(text);
    return id;
}

static inline social_comment_id social_comment_id_of_str(routable_str text)
{
    social_comment_id id;
    id.value = text;
    return id;
}

typedef struct social_post_id { routable_str value; } social_post_id;

static inline social_post_id social_post_id_of(const char *text)
{
    social_post_id id;
    id.value = routable_str_from(text);
    return id;
}

static inline social_post_id social_post_id_of_str(routable_str text)
{
    social_post_id id;
    id.value = text;
    return id;
}

typedef struct social_place {
    routable_typed_api *api;
    uint16_t depth, id_count;
    uint16_t resources[34];
    routable_typed_id ids[33];
} social_place;

static inline void social_step(social_place *place, uint16_t resource)
{
    if (place->depth < 34)
        place->resources[place->depth++] = resource;
}

static inline void social_id(social_place *place, routable_value id)
{
    if (place->id_count < 33)
        place->ids[place->id_count++] = routable_typed_id_of(id);
}

static inline routable_typed_place social_here(const social_place *place)
{
    routable_typed_place here;
    here.api = place->api;
    here.resources = place->resources;
    here.ids = place->ids;
    here.depth = place->depth;
    here.id_count = place->id_count;
    return here;
}

typedef struct social_user { social_place place; } social_user;
typedef struct social_user_set { social_place place; } social_user_set;
typedef struct social_status { social_place place; } social_status;
typedef struct social_status_set { social_place place; } social_status_set;
typedef struct social_picture { social_place place; } social_picture;
typedef struct social_picture_set { social_place place; } social_picture_set;
typedef struct social_comment { social_place place; } social_comment;
typedef struct social_comment_set { social_place place; } social_comment_set;
typedef struct social_post { social_place place; } social_post;
typedef struct social_post_set { social_place place; } social_post_set;

static inline social_user social_root_user(social *api, social_user_id id)
{
    social_user result;
    memset(&result, 0, sizeof result);
    result.place.api = &api->typed;
    social_step(&result.place, 0);
    social_id(&result.place, routable_value_str(id.value));
    return result;
}

static inline social_user_set social_root_user_set(social *api)
{
    social_user_set result;
    memset(&result, 0, sizeof result);
    result.place.api = &api->typed;
    social_step(&result.place, 0);
    return result;
}

static inline social_status social_root_status(social *api, social_status_id id)
{
    social_status result;
    memset(&result, 0, sizeof result);
    result.place.api = &api->typed;
    social_step(&result.place, 1);
    social_id(&result.place, routable_value_str(id.value));
    return result;
}

static inline social_status_set social_root_status_set(social *api)
{
    social_status_set result;
    memset(&result, 0, sizeof result);
    result.place.api = &api->typed;
    social_step(&result.place, 1);
    return result;
}

static inline social_picture social_root_picture(social *api, social_picture_id id)
{
    social_picture result;
    memset(&result, 0, sizeof result);
    result.place.api = &api->typed;
    social_step(&result.place, 2);
    social_id(&result.place, routable_value_str(id.value));
    return result;
}

static inline social_picture_set social_root_picture_set(social *api)
{
    social_picture_set result;
    memset(&result, 0, sizeof result);
    result.place.api = &api->typed;
    social_step(&result.place, 2);
    return result;
}

static inline social_comment social_root_comment(social *api, social_comment_id id)
{
    social_comment result;
    memset(&result, 0, sizeof result);
    result.place.api = &api->typed;
    social_step(&result.place, 3);
    social_id(&result.place, routable_value_str(id.value));
    return result;
}

static inline social_comment_set social_root_comment_set(social *api)
{
    social_comment_set result;
    memset(&result, 0, sizeof result);
    result.place.api = &api->typed;
    social_step(&result.place, 3);
    return result;
}

static inline social_post social_root_post(social *api, social_post_id id)
{
    social_post result;
    memset(&result, 0, sizeof result);
    result.place.api = &api->typed;
    social_step(&result.place, 4);
    social_id(&result.place, routable_value_str(id.value));
    return result;
}

static inline social_post_set social_root_post_set(social *api)
{
    social_post_set result;
    memset(&result, 0, sizeof result);
    result.place.api = &api->typed;
    social_step(&result.place, 4);
    return result;
}

static inline social_status social_user_status(social_user below, social_status_id id)
{
    social_status result;
    result.place = below.place;
    social_step(&result.place, 1);
    social_id(&result.place, routable_value_str(id.value));
    return result;
}

static inline social_status_set social_user_status_set(social_user below)
{
    social_status_set result;
    result.place = below.place;
    social_step(&result.place, 1);
    return result;
}

static inline social_picture social_user_picture(social_user below, social_picture_id id)
{
    social_picture result;
    result.place = below.place;
    social_step(&result.place, 2);
    social_id(&result.place, routable_value_str(id.value));
    return result;
}

static inline social_picture_set social_user_picture_set(social_user below)
{
    social_picture_set result;
    result.place = below.place;
    social_step(&result.place, 2);
    return result;
}

static inline social_post social_user_post(social_user below, social_post_id id)
{
    social_post result;
    result.place = below.place;
    social_step(&result.place, 4);
    social_id(&result.place, routable_value_str(id.value));
    return result;
}

static inline social_post_set social_user_post_set(social_user below)
{
    social_post_set result;
    result.place = below.place;
    social_step(&result.place, 4);
    return result;
}

static inline social_comment social_status_comment(social_status below, social_comment_id id)
{
    social_comment result;
    result.place = below.place;
    social_step(&result.place, 3);
    social_id(&result.place, routable_value_str(id.value));
    return result;
}

static inline social_comment_set social_status_comment_set(social_status below)
{
    social_comment_set result;
    result.place = below.place;
    social_step(&result.place, 3);
    return result;
}

static inline social_comment social_picture_comment(social_picture below, social_comment_id id)
{
    social_comment result;
    result.place = below.place;
    social_step(&result.place, 3);
    social_id(&result.place, routable_value_str(id.value));
    return result;
}

static inline social_comment_set social_picture_comment_set(social_picture below)
{
    social_comment_set result;
    result.place = below.place;
    social_step(&result.place, 3);
    return result;
}

static inline social_user social_comment_user(social_comment below, social_user_id id)
{
    social_user result;
    result.place = below.place;
    social_step(&result.place, 0);
    social_id(&result.place, routable_value_str(id.value));
    return result;
}

static inline social_user_set social_comment_user_set(social_comment below)
{
    social_user_set result;
    result.place = below.place;
    social_step(&result.place, 0);
    return result;
}

static inline social_comment social_post_comment(social_post below, social_comment_id id)
{
    social_comment result;
    result.place = below.place;
    social_step(&result.place, 3);
    social_id(&result.place, routable_value_str(id.value));
    return result;
}

static inline social_comment_set social_post_comment_set(social_post below)
{
    social_comment_set result;
    result.place = below.place;
    social_step(&result.place, 3);
    return result;
}

/* --- Operations of user --- */

static inline const routable_typed_operation *social_user_list_operation(void)
{
    static const routable_typed_operation operation = {
        "list", NULL, NULL, NULL, 1, ROUTABLE_TYPED_NONE, ROUTABLE_TYPED_NONE
    };
    return &operation;
}

/* GET users: writes the URL, as routable_plan_write does. */
static inline routable_status social_user_list_url(
    social_user_set at, char *buffer, size_t capacity, size_t *length, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_url(&place, social_user_list_operation(), NULL, buffer, capacity, length, error);
}

/* GET users: creates the request, which can be edited before it is sent. */
static inline routable_status social_user_list_request(
    social_user_set at, routable_request **out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_request(&place, social_user_list_operation(), NULL, NULL, out, error);
}

/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */
static inline int social_user_list_is(const routable_request *request)
{
    return routable_typed_is_of(request, "user", "list");
}

/* Reads the response to such a request into `out`, which then owns the response. */
static inline void social_user_list_from_response(routable_response *response, social_result *out)
{
    routable_typed_result_of(social_user_list_operation(), response, out);
}

/* GET users */
static inline routable_status social_user_list(
    social_user_set at, const routable_client *client, social_result *out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_perform(&place, social_user_list_operation(), NULL, NULL, client, out, error);
}

static inline const routable_typed_operation *social_user_read_operation(void)
{
    static const routable_typed_operation operation = {
        "read", NULL, NULL, NULL, 2, ROUTABLE_TYPED_NONE, ROUTABLE_TYPED_NONE
    };
    return &operation;
}

/* GET users/{username}: writes the URL, as routable_plan_write does. */
static inline routable_status social_user_read_url(
    social_user at, char *buffer, size_t capacity, size_t *length, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_url(&place, social_user_read_operation(), NULL, buffer, capacity, length, error);
}

/* GET users/{username}: creates the request, which can be edited before it is sent. */
static inline routable_status social_user_read_request(social_user at, routable_request **out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_request(&place, social_user_read_operation(), NULL, NULL, out, error);
}

/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */
static inline int social_user_read_is(const routable_request *request)
{
    return routable_typed_is_of(request, "user", "read");
}

/* Reads the response to such a request into `out`, which then owns the response. */
static inline void social_user_read_from_response(routable_response *response, social_result *out)
{
    routable_typed_result_of(social_user_read_operation(), response, out);
}

/* GET users/{username} */
static inline routable_status social_user_read(
    social_user at, const routable_client *client, social_result *out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_perform(&place, social_user_read_operation(), NULL, NULL, client, out, error);
}

static inline const routable_typed_operation *social_user_create_operation(void)
{
    static const routable_typed_operation operation = {
        "create", NULL, NULL, NULL, 3, ROUTABLE_TYPED_OPEN, ROUTABLE_TYPED_NONE
    };
    return &operation;
}

/* POST users: writes the URL, as routable_plan_write does. */
static inline routable_status social_user_create_url(
    social_user_set at, char *buffer, size_t capacity, size_t *length, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_url(&place, social_user_create_operation(), NULL, buffer, capacity, length, error);
}

/* POST users: creates the request, which can be edited before it is sent. */
static inline routable_status social_user_create_request(
    social_user_set at, const routable_open_input *input, routable_request **out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_request(&place, social_user_create_operation(), NULL, input, out, error);
}

/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */
static inline int social_user_create_is(const routable_request *request)
{
    return routable_typed_is_of(request, "user", "create");
}

/* Reads the response to such a request into `out`, which then owns the response. */
static inline void social_user_create_from_response(routable_response *response, social_result *out)
{
    routable_typed_result_of(social_user_create_operation(), response, out);
}

/* POST users */
static inline routable_status social_user_create(
    social_user_set at, const routable_open_input *input, const routable_client *client, social_result *out,
    routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_perform(&place, social_user_create_operation(), NULL, input, client, out, error);
}

static inline const routable_typed_operation *social_user_update_operation(void)
{
    static const routable_typed_operation operation = {
        "update", NULL, NULL, NULL, 4, ROUTABLE_TYPED_OPEN, ROUTABLE_TYPED_NONE
    };
    return &operation;
}

/* PUT users/{username}: writes the URL, as routable_plan_write does. */
static inline routable_status social_user_update_url(
    social_user at, char *buffer, size_t capacity, size_t *length, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_url(&place, social_user_update_operation(), NULL, buffer, capacity, length, error);
}

/* PUT users/{username}: creates the request, which can be edited before it is sent. */
static inline routable_status social_user_update_request(
    social_user at, const routable_open_input *input, routable_request **out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_request(&place, social_user_update_operation(), NULL, input, out, error);
}

/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */
static inline int social_user_update_is(const routable_request *request)
{
    return routable_typed_is_of(request, "user", "update");
}

/* Reads the response to such a request into `out`, which then owns the response. */
static inline void social_user_update_from_response(routable_response *response, social_result *out)
{
    routable_typed_result_of(social_user_update_operation(), response, out);
}

/* PUT users/{username} */
static inline routable_status social_user_update(
    social_user at, const routable_open_input *input, const routable_client *client, social_result *out,
    routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_perform(&place, social_user_update_operation(), NULL, input, client, out, error);
}

/* --- Operations of status --- */

static inline const routable_typed_operation *social_status_read_operation(void)
{
    static const routable_typed_operation operation = {
        "read", NULL, NULL, social_status_data_shape, 5, ROUTABLE_TYPED_NONE, ROUTABLE_TYPED_RECORD
    };
    return &operation;
}

/* GET statuses/{id}: writes the URL, as routable_plan_write does. */
static inline routable_status social_status_read_url(
    social_status at, char *buffer, size_t capacity, size_t *length, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_url(&place, social_status_read_operation(), NULL, buffer, capacity, length, error);
}

/* GET statuses/{id}: creates the request, which can be edited before it is sent. */
static inline routable_status social_status_read_request(
    social_status at, routable_request **out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_request(&place, social_status_read_operation(), NULL, NULL, out, error);
}

/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */
static inline int social_status_read_is(const routable_request *request)
{
    return routable_typed_is_of(request, "status", "read");
}

/* Reads the response to such a request into `out`, which then owns the response. */
static inline void social_status_read_from_response(routable_response *response, social_status_data_result *out)
{
    routable_typed_result answer;
    routable_typed_result_of(social_status_read_operation(), response, &answer);
    social_status_data_result_set(out, &answer);
}

/* GET statuses/{id} */
static inline routable_status social_status_read(
    social_status at, const routable_client *client, social_status_data_result *out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    routable_typed_result answer;
    routable_status status;
    status = routable_typed_perform(&place, social_status_read_operation(), NULL, NULL, client, &answer, error);
    if (status == ROUTABLE_OK)
        social_status_data_result_set(out, &answer);
    return status;
}

static inline const routable_typed_operation *social_status_create_operation(void)
{
    static const routable_typed_operation operation = {
        "create", NULL, social_status_data_shape, social_status_data_shape, 6, ROUTABLE_TYPED_RECORD, ROUTABLE_TYPED_RECORD
    };
    return &operation;
}

/* POST statuses: writes the URL, as routable_plan_write does. */
static inline routable_status social_status_create_url(
    social_status_set at, char *buffer, size_t capacity, size_t *length, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_url(&place, social_status_create_operation(), NULL, buffer, capacity, length, error);
}

/* POST statuses: creates the request, which can be edited before it is sent. */
static inline routable_status social_status_create_request(
    social_status_set at, const social_status_data *body, routable_request **out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_request(&place, social_status_create_operation(), NULL, body, out, error);
}

/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */
static inline int social_status_create_is(const routable_request *request)
{
    return routable_typed_is_of(request, "status", "create");
}

/* Reads the response to such a request into `out`, which then owns the response. */
static inline void social_status_create_from_response(routable_response *response, social_status_data_result *out)
{
    routable_typed_result answer;
    routable_typed_result_of(social_status_create_operation(), response, &answer);
    social_status_data_result_set(out, &answer);
}

/* POST statuses */
static inline routable_status social_status_create(
    social_status_set at, const social_status_data *body, const routable_client *client, social_status_data_result *out,
    routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    routable_typed_result answer;
    routable_status status;
    status = routable_typed_perform(&place, social_status_create_operation(), NULL, body, client, &answer, error);
    if (status == ROUTABLE_OK)
        social_status_data_result_set(out, &answer);
    return status;
}

static inline const routable_typed_operation *social_status_delete_operation(void)
{
    static const routable_typed_operation operation = {
        "delete", NULL, NULL, NULL, 7, ROUTABLE_TYPED_NONE, ROUTABLE_TYPED_NONE
    };
    return &operation;
}

/* DELETE statuses/{id}: writes the URL, as routable_plan_write does. */
static inline routable_status social_status_delete_url(
    social_status at, char *buffer, size_t capacity, size_t *length, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_url(&place, social_status_delete_operation(), NULL, buffer, capacity, length, error);
}

/* DELETE statuses/{id}: creates the request, which can be edited before it is sent. */
static inline routable_status social_status_delete_request(
    social_status at, routable_request **out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_request(&place, social_status_delete_operation(), NULL, NULL, out, error);
}

/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */
static inline int social_status_delete_is(const routable_request *request)
{
    return routable_typed_is_of(request, "status", "delete");
}

/* Reads the response to such a request into `out`, which then owns the response. */
static inline void social_status_delete_from_response(routable_response *response, social_result *out)
{
    routable_typed_result_of(social_status_delete_operation(), response, out);
}

/* DELETE statuses/{id} */
static inline routable_status social_status_delete(
    social_status at, const routable_client *client, social_result *out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_perform(&place, social_status_delete_operation(), NULL, NULL, client, out, error);
}

/* --- Operations of picture --- */

static inline const routable_typed_operation *social_picture_read_operation(void)
{
    static const routable_typed_operation operation = {
        "read", NULL, NULL, NULL, 8, ROUTABLE_TYPED_NONE, ROUTABLE_TYPED_NONE
    };
    return &operation;
}

/* GET pictures/{id}: writes the URL, as routable_plan_write does. */
static inline routable_status social_picture_read_url(
    social_picture at, char *buffer, size_t capacity, size_t *length, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_url(&place, social_picture_read_operation(), NULL, buffer, capacity, length, error);
}

/* GET pictures/{id}: creates the request, which can be edited before it is sent. */
static inline routable_status social_picture_read_request(
    social_picture at, routable_request **out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_request(&place, social_picture_read_operation(), NULL, NULL, out, error);
}

/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */
static inline int social_picture_read_is(const routable_request *request)
{
    return routable_typed_is_of(request, "picture", "read");
}

/* Reads the response to such a request into `out`, which then owns the response. */
static inline void social_picture_read_from_response(routable_response *response, social_result *out)
{
    routable_typed_result_of(social_picture_read_operation(), response, out);
}

/* GET pictures/{id} */
static inline routable_status social_picture_read(
    social_picture at, const routable_client *client, social_result *out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_perform(&place, social_picture_read_operation(), NULL, NULL, client, out, error);
}

static inline const routable_typed_operation *social_picture_create_operation(void)
{
    static const routable_typed_operation operation = {
        "create", NULL, NULL, NULL, 9, ROUTABLE_TYPED_OPEN, ROUTABLE_TYPED_NONE
    };
    return &operation;
}

/* POST pictures: writes the URL, as routable_plan_write does. */
static inline routable_status social_picture_create_url(
    social_picture_set at, char *buffer, size_t capacity, size_t *length, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_url(&place, social_picture_create_operation(), NULL, buffer, capacity, length, error);
}

/* POST pictures: creates the request, which can be edited before it is sent. */
static inline routable_status social_picture_create_request(
    social_picture_set at, const routable_open_input *input, routable_request **out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_request(&place, social_picture_create_operation(), NULL, input, out, error);
}

/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */
static inline int social_picture_create_is(const routable_request *request)
{
    return routable_typed_is_of(request, "picture", "create");
}

/* Reads the response to such a request into `out`, which then owns the response. */
static inline void social_picture_create_from_response(routable_response *response, social_result *out)
{
    routable_typed_result_of(social_picture_create_operation(), response, out);
}

/* POST pictures */
static inline routable_status social_picture_create(
    social_picture_set at, const routable_open_input *input, const routable_client *client, social_result *out,
    routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_perform(&place, social_picture_create_operation(), NULL, input, client, out, error);
}

static inline const routable_typed_operation *social_picture_update_operation(void)
{
    static const routable_typed_operation operation = {
        "update", NULL, NULL, NULL, 10, ROUTABLE_TYPED_OPEN, ROUTABLE_TYPED_NONE
    };
    return &operation;
}

/* PUT pictures/{id}: writes the URL, as routable_plan_write does. */
static inline routable_status social_picture_update_url(
    social_picture at, char *buffer, size_t capacity, size_t *length, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_url(&place, social_picture_update_operation(), NULL, buffer, capacity, length, error);
}

/* PUT pictures/{id}: creates the request, which can be edited before it is sent. */
static inline routable_status social_picture_update_request(
    social_picture at, const routable_open_input *input, routable_request **out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_request(&place, social_picture_update_operation(), NULL, input, out, error);
}

/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */
static inline int social_picture_update_is(const routable_request *request)
{
    return routable_typed_is_of(request, "picture", "update");
}

/* Reads the response to such a request into `out`, which then owns the response. */
static inline void social_picture_update_from_response(routable_response *response, social_result *out)
{
    routable_typed_result_of(social_picture_update_operation(), response, out);
}

/* PUT pictures/{id} */
static inline routable_status social_picture_update(
    social_picture at, const routable_open_input *input, const routable_client *client, social_result *out,
    routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_perform(&place, social_picture_update_operation(), NULL, input, client, out, error);
}

static inline const routable_typed_operation *social_picture_delete_operation(void)
{
    static const routable_typed_operation operation = {
        "delete", NULL, NULL, NULL, 11, ROUTABLE_TYPED_NONE, ROUTABLE_TYPED_NONE
    };
    return &operation;
}

/* DELETE pictures/{id}: writes the URL, as routable_plan_write does. */
static inline routable_status social_picture_delete_url(
    social_picture at, char *buffer, size_t capacity, size_t *length, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_url(&place, social_picture_delete_operation(), NULL, buffer, capacity, length, error);
}

/* DELETE pictures/{id}: creates the request, which can be edited before it is sent. */
static inline routable_status social_picture_delete_request(
    social_picture at, routable_request **out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_request(&place, social_picture_delete_operation(), NULL, NULL, out, error);
}

/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */
static inline int social_picture_delete_is(const routable_request *request)
{
    return routable_typed_is_of(request, "picture", "delete");
}

/* Reads the response to such a request into `out`, which then owns the response. */
static inline void social_picture_delete_from_response(routable_response *response, social_result *out)
{
    routable_typed_result_of(social_picture_delete_operation(), response, out);
}

/* DELETE pictures/{id} */
static inline routable_status social_picture_delete(
    social_picture at, const routable_client *client, social_result *out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_perform(&place, social_picture_delete_operation(), NULL, NULL, client, out, error);
}

/* --- Operations of comment --- */

static inline const routable_typed_operation *social_comment_read_operation(void)
{
    static const routable_typed_operation operation = {
        "read", NULL, NULL, NULL, 12, ROUTABLE_TYPED_NONE, ROUTABLE_TYPED_NONE
    };
    return &operation;
}

/* GET comments/{id}: writes the URL, as routable_plan_write does. */
static inline routable_status social_comment_read_url(
    social_comment at, char *buffer, size_t capacity, size_t *length, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_url(&place, social_comment_read_operation(), NULL, buffer, capacity, length, error);
}

/* GET comments/{id}: creates the request, which can be edited before it is sent. */
static inline routable_status social_comment_read_request(
    social_comment at, routable_request **out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_request(&place, social_comment_read_operation(), NULL, NULL, out, error);
}

/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */
static inline int social_comment_read_is(const routable_request *request)
{
    return routable_typed_is_of(request, "comment", "read");
}

/* Reads the response to such a request into `out`, which then owns the response. */
static inline void social_comment_read_from_response(routable_response *response, social_result *out)
{
    routable_typed_result_of(social_comment_read_operation(), response, out);
}

/* GET comments/{id} */
static inline routable_status social_comment_read(
    social_comment at, const routable_client *client, social_result *out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_perform(&place, social_comment_read_operation(), NULL, NULL, client, out, error);
}

static inline const routable_typed_operation *social_comment_create_operation(void)
{
    static const routable_typed_operation operation = {
        "create", NULL, NULL, NULL, 13, ROUTABLE_TYPED_OPEN, ROUTABLE_TYPED_NONE
    };
    return &operation;
}

/* POST comments: writes the URL, as routable_plan_write does. */
static inline routable_status social_comment_create_url(
    social_comment_set at, char *buffer, size_t capacity, size_t *length, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_url(&place, social_comment_create_operation(), NULL, buffer, capacity, length, error);
}

/* POST comments: creates the request, which can be edited before it is sent. */
static inline routable_status social_comment_create_request(
    social_comment_set at, const routable_open_input *input, routable_request **out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_request(&place, social_comment_create_operation(), NULL, input, out, error);
}

/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */
static inline int social_comment_create_is(const routable_request *request)
{
    return routable_typed_is_of(request, "comment", "create");
}

/* Reads the response to such a request into `out`, which then owns the response. */
static inline void social_comment_create_from_response(routable_response *response, social_result *out)
{
    routable_typed_result_of(social_comment_create_operation(), response, out);
}

/* POST comments */
static inline routable_status social_comment_create(
    social_comment_set at, const routable_open_input *input, const routable_client *client, social_result *out,
    routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_perform(&place, social_comment_create_operation(), NULL, input, client, out, error);
}

static inline const routable_typed_operation *social_comment_update_operation(void)
{
    static const routable_typed_operation operation = {
        "update", NULL, NULL, NULL, 14, ROUTABLE_TYPED_OPEN, ROUTABLE_TYPED_NONE
    };
    return &operation;
}

/* PUT comments/{id}: writes the URL, as routable_plan_write does. */
static inline routable_status social_comment_update_url(
    social_comment at, char *buffer, size_t capacity, size_t *length, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_url(&place, social_comment_update_operation(), NULL, buffer, capacity, length, error);
}

/* PUT comments/{id}: creates the request, which can be edited before it is sent. */
static inline routable_status social_comment_update_request(
    social_comment at, const routable_open_input *input, routable_request **out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_request(&place, social_comment_update_operation(), NULL, input, out, error);
}

/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */
static inline int social_comment_update_is(const routable_request *request)
{
    return routable_typed_is_of(request, "comment", "update");
}

/* Reads the response to such a request into `out`, which then owns the response. */
static inline void social_comment_update_from_response(routable_response *response, social_result *out)
{
    routable_typed_result_of(social_comment_update_operation(), response, out);
}

/* PUT comments/{id} */
static inline routable_status social_comment_update(
    social_comment at, const routable_open_input *input, const routable_client *client, social_result *out,
    routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_perform(&place, social_comment_update_operation(), NULL, input, client, out, error);
}

static inline const routable_typed_operation *social_comment_delete_operation(void)
{
    static const routable_typed_operation operation = {
        "delete", NULL, NULL, NULL, 15, ROUTABLE_TYPED_NONE, ROUTABLE_TYPED_NONE
    };
    return &operation;
}

/* DELETE comments/{id}: writes the URL, as routable_plan_write does. */
static inline routable_status social_comment_delete_url(
    social_comment at, char *buffer, size_t capacity, size_t *length, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_url(&place, social_comment_delete_operation(), NULL, buffer, capacity, length, error);
}

/* DELETE comments/{id}: creates the request, which can be edited before it is sent. */
static inline routable_status social_comment_delete_request(
    social_comment at, routable_request **out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_request(&place, social_comment_delete_operation(), NULL, NULL, out, error);
}

/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */
static inline int social_comment_delete_is(const routable_request *request)
{
    return routable_typed_is_of(request, "comment", "delete");
}

/* Reads the response to such a request into `out`, which then owns the response. */
static inline void social_comment_delete_from_response(routable_response *response, social_result *out)
{
    routable_typed_result_of(social_comment_delete_operation(), response, out);
}

/* DELETE comments/{id} */
static inline routable_status social_comment_delete(
    social_comment at, const routable_client *client, social_result *out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_perform(&place, social_comment_delete_operation(), NULL, NULL, client, out, error);
}

/* --- Operations of post --- */

static inline const routable_typed_operation *social_post_read_operation(void)
{
    static const routable_typed_operation operation = {
        "read", NULL, NULL, NULL, 16, ROUTABLE_TYPED_NONE, ROUTABLE_TYPED_NONE
    };
    return &operation;
}

/* GET posts/{id}: writes the URL, as routable_plan_write does. */
static inline routable_status social_post_read_url(
    social_post at, char *buffer, size_t capacity, size_t *length, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_url(&place, social_post_read_operation(), NULL, buffer, capacity, length, error);
}

/* GET posts/{id}: creates the request, which can be edited before it is sent. */
static inline routable_status social_post_read_request(social_post at, routable_request **out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_request(&place, social_post_read_operation(), NULL, NULL, out, error);
}

/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */
static inline int social_post_read_is(const routable_request *request)
{
    return routable_typed_is_of(request, "post", "read");
}

/* Reads the response to such a request into `out`, which then owns the response. */
static inline void social_post_read_from_response(routable_response *response, social_result *out)
{
    routable_typed_result_of(social_post_read_operation(), response, out);
}

/* GET posts/{id} */
static inline routable_status social_post_read(
    social_post at, const routable_client *client, social_result *out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_perform(&place, social_post_read_operation(), NULL, NULL, client, out, error);
}

static inline const routable_typed_operation *social_post_create_operation(void)
{
    static const routable_typed_operation operation = {
        "create", NULL, NULL, NULL, 17, ROUTABLE_TYPED_OPEN, ROUTABLE_TYPED_NONE
    };
    return &operation;
}

/* POST posts: writes the URL, as routable_plan_write does. */
static inline routable_status social_post_create_url(
    social_post_set at, char *buffer, size_t capacity, size_t *length, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_url(&place, social_post_create_operation(), NULL, buffer, capacity, length, error);
}

/* POST posts: creates the request, which can be edited before it is sent. */
static inline routable_status social_post_create_request(
    social_post_set at, const routable_open_input *input, routable_request **out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_request(&place, social_post_create_operation(), NULL, input, out, error);
}

/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */
static inline int social_post_create_is(const routable_request *request)
{
    return routable_typed_is_of(request, "post", "create");
}

/* Reads the response to such a request into `out`, which then owns the response. */
static inline void social_post_create_from_response(routable_response *response, social_result *out)
{
    routable_typed_result_of(social_post_create_operation(), response, out);
}

/* POST posts */
static inline routable_status social_post_create(
    social_post_set at, const routable_open_input *input, const routable_client *client, social_result *out,
    routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_perform(&place, social_post_create_operation(), NULL, input, client, out, error);
}

static inline const routable_typed_operation *social_post_update_operation(void)
{
    static const routable_typed_operation operation = {
        "update", NULL, NULL, NULL, 18, ROUTABLE_TYPED_OPEN, ROUTABLE_TYPED_NONE
    };
    return &operation;
}

/* PUT posts/{id}: writes the URL, as routable_plan_write does. */
static inline routable_status social_post_update_url(
    social_post at, char *buffer, size_t capacity, size_t *length, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_url(&place, social_post_update_operation(), NULL, buffer, capacity, length, error);
}

/* PUT posts/{id}: creates the request, which can be edited before it is sent. */
static inline routable_status social_post_update_request(
    social_post at, const routable_open_input *input, routable_request **out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_request(&place, social_post_update_operation(), NULL, input, out, error);
}

/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */
static inline int social_post_update_is(const routable_request *request)
{
    return routable_typed_is_of(request, "post", "update");
}

/* Reads the response to such a request into `out`, which then owns the response. */
static inline void social_post_update_from_response(routable_response *response, social_result *out)
{
    routable_typed_result_of(social_post_update_operation(), response, out);
}

/* PUT posts/{id} */
static inline routable_status social_post_update(
    social_post at, const routable_open_input *input, const routable_client *client, social_result *out,
    routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_perform(&place, social_post_update_operation(), NULL, input, client, out, error);
}

static inline const routable_typed_operation *social_post_delete_operation(void)
{
    static const routable_typed_operation operation = {
        "delete", NULL, NULL, NULL, 19, ROUTABLE_TYPED_NONE, ROUTABLE_TYPED_NONE
    };
    return &operation;
}

/* DELETE posts/{id}: writes the URL, as routable_plan_write does. */
static inline routable_status social_post_delete_url(
    social_post at, char *buffer, size_t capacity, size_t *length, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_url(&place, social_post_delete_operation(), NULL, buffer, capacity, length, error);
}

/* DELETE posts/{id}: creates the request, which can be edited before it is sent. */
static inline routable_status social_post_delete_request(social_post at, routable_request **out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_request(&place, social_post_delete_operation(), NULL, NULL, out, error);
}

/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */
static inline int social_post_delete_is(const routable_request *request)
{
    return routable_typed_is_of(request, "post", "delete");
}

/* Reads the response to such a request into `out`, which then owns the response. */
static inline void social_post_delete_from_response(routable_response *response, social_result *out)
{
    routable_typed_result_of(social_post_delete_operation(), response, out);
}

/* DELETE posts/{id} */
static inline routable_status social_post_delete(
    social_post at, const routable_client *client, social_result *out, routable_error **error)
{
    routable_typed_place place = social_here(&at.place);
    return routable_typed_perform(&place, social_post_delete_operation(), NULL, NULL, client, out, error);
}

/* --- Operations --- */

typedef struct social_search_arguments {
    routable_str q;
    routable_maybe_integer page;
} social_search_arguments;
#define SOCIAL_SEARCH_ARGUMENTS_INIT ROUTABLE_TYPED_ZERO

static inline const routable_typed_operation *social_search_operation(void)
{
    static const char names[] =
        "q\0"
        "page";
    static const routable_typed_field fields[] = {
        { offsetof(social_search_arguments, q), 0, ROUTABLE_TYPED_STRING, 2 },
        { offsetof(social_search_arguments, page), 0, ROUTABLE_TYPED_INTEGER, 3 },
    };
    static const routable_typed_shape parameters = {
        names, fields, NULL, NULL, sizeof(social_search_arguments), 2, ROUTABLE_TYPED_OBJECT
    };
    static const routable_typed_operation operation = {
        "search", &parameters, NULL, NULL, 20, ROUTABLE_TYPED_NONE, ROUTABLE_TYPED_NONE
    };
    return &operation;
}

/* GET /search: writes the URL, as routable_plan_write does. */
static inline routable_status social_search_url(
    social *api, const social_search_arguments *arguments, char *buffer, size_t capacity, size_t *length,
    routable_error **error)
{
    routable_typed_place place = routable_typed_root(&api->typed);
    return routable_typed_url(&place, social_search_operation(), arguments, buffer, capacity, length, error);
}

/* GET /search: creates the request, which can be edited before it is sent. */
static inline routable_status social_search_request(
    social *api, const social_search_arguments *arguments, routable_request **out, routable_error **error)
{
    routable_typed_place place = routable_typed_root(&api->typed);
    return routable_typed_request(&place, social_search_operation(), arguments, NULL, out, error);
}

/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */
static inline int social_search_is(const routable_request *request)
{
    return routable_typed_is_of(request, "", "search");
}

/* Reads the response to such a request into `out`, which then owns the response. */
static inline void social_search_from_response(routable_response *response, social_result *out)
{
    routable_typed_result_of(social_search_operation(), response, out);
}

/* GET /search */
static inline routable_status social_search(
    social *api, const social_search_arguments *arguments, const routable_client *client, social_result *out,
    routable_error **error)
{
    routable_typed_place place = routable_typed_root(&api->typed);
    return routable_typed_perform(&place, social_search_operation(), arguments, NULL, client, out, error);
}

#ifdef __cplusplus
}
#endif
#endif
