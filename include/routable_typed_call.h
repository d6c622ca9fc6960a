/* routable_typed_call.h - the routes, requests and results of generated functions.
 *
 * For generated code: programs must not call these functions.  They are inline, and no struct of this header is passed to the
 * library, so the layout of the structs is not part of the ABI.
 */
#ifndef ROUTABLE_TYPED_CALL_H
#define ROUTABLE_TYPED_CALL_H

#include "routable_typed_read.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Places in the graph of resources
 */

#define ROUTABLE_TYPED_IDS 33u /* one more than the maximum number of ids of a route, so that the library reports the error */
#define ROUTABLE_TYPED_PLANS 4096u /* a full cache with at least this number of plans is cleared instead of enlarged */

/* A plan in the cache; its key is an operation and the resources of its route. */
typedef struct routable_typed_plan {
    routable_plan *plan; /* NULL: the slot is free */
    uint32_t operation;  /* the number of the operation */
    uint32_t depth;
    uint16_t resources[ROUTABLE_TYPED_IDS + 1];
} routable_typed_plan;

/* A router with a cache of plans.  Only one thread at a time may use it. */
typedef struct routable_typed_api {
    routable_router *router;
    const char *const *names; /* the names of the resources */
    routable_typed_plan *plans;
    uint32_t plan_count;
    uint32_t plan_capacity; /* a power of two, or 0 */
    int32_t is_owned;
} routable_typed_api;
#define ROUTABLE_TYPED_API_INIT { NULL, NULL, NULL, 0, 0, 0 }

/* One id of a place. */
typedef struct routable_typed_id {
    union {
        const char *text;
        int64_t integer;
        double real;
    } as;
    uint32_t length;
    routable_kind kind;
} routable_typed_id;

/* A place in the graph of resources: the resources and the ids from the root to the place. */
typedef struct routable_typed_place {
    routable_typed_api *api;
    const uint16_t *resources;
    const routable_typed_id *ids;
    uint32_t depth;
    uint32_t id_count;
} routable_typed_place;

/* Converts a value to a routable_typed_id, which is smaller than a routable_value. */
static inline routable_typed_id routable_typed_id_of(routable_value value)
{
    routable_typed_id id;
    memset(&id, 0, sizeof id);
    id.kind = value.kind;
    switch (value.kind) {
    case ROUTABLE_KIND_STRING:
        id.as.text = value.as.string.ptr;
        id.length = value.as.string.len < UINT32_MAX ? (uint32_t)value.as.string.len : UINT32_MAX;
        break;
    case ROUTABLE_KIND_REAL: id.as.real = value.as.real; break;
    default: id.as.integer = value.as.integer; break;
    }
    return id;
}

/* The value of an id. */
static inline routable_value routable_typed_value_of(const routable_typed_id *id)
{
    routable_value value;
    memset(&value, 0, sizeof value);
    value.kind = id->kind;
    switch (id->kind) {
    case ROUTABLE_KIND_STRING:
        value.as.string.ptr = id->as.text;
        value.as.string.len = id->length;
        break;
    case ROUTABLE_KIND_REAL: value.as.real = id->as.real; break;
    default: value.as.integer = id->as.integer; break;
    }
    return value;
}

/* Returns the root of the graph, which is the place of standalone operations. */
static inline routable_typed_place routable_typed_root(routable_typed_api *api)
{
    routable_typed_place place;
    memset(&place, 0, sizeof place);
    place.api = api;
    return place;
}

/* Initializes `api` with a router, which the caller must free later. */
static inline void routable_typed_use(routable_typed_api *api, routable_router *router, const char *const *names)
{
    memset(api, 0, sizeof *api);
    api->router = router;
    api->names = names;
}

/* Opens a file.  Statuses: those of routable_router_open_file. */
static inline routable_status routable_typed_open_file(
    routable_typed_api *api, const char *path, const char *base, const char *const *names, routable_error **error)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    options.base = base;
    routable_typed_use(api, NULL, names);
    api->is_owned = 1;
    return routable_router_open_file(path, &options, &api->router, error);
}

/* For an allocation of this header that failed: sets no error object. */
static inline routable_status routable_typed_no_memory(routable_error **error)
{
    if (error)
        *error = NULL;
    return ROUTABLE_ERR_MEMORY;
}

/* Opens a document that generated code contains in pieces, because C99 compilers need not accept string literals of more than
 * 4095 bytes.
 * Statuses: those of routable_router_open; MEMORY without an error object. */
static inline routable_status routable_typed_open(
    routable_typed_api *api, const char *const *pieces, size_t count, const char *base, const char *const *names,
    routable_error **error)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_typed_writer writer = { NULL, 0 };
    routable_str text;
    routable_status status;
    options.base = base;
    routable_typed_use(api, NULL, names);
    api->is_owned = 1;
    for (int pass = 0; pass < 2; pass++) {
        writer.count = 0;
        for (size_t index = 0; index < count; index++)
            routable_typed_put(&writer, pieces[index], strlen(pieces[index]));
        if (pass == 0) {
            writer.out = (char *)malloc(writer.count + 1);
            if (!writer.out)
                return routable_typed_no_memory(error);
        }
    }
    text.ptr = writer.out;
    text.len = writer.count;
    status = routable_router_open(text.ptr, text.len, &options, &api->router, error);
    free(writer.out);
    return status;
}

/* Frees the plans. */
static inline void routable_typed_forget(routable_typed_api *api)
{
    for (uint32_t index = 0; index < api->plan_capacity; index++)
        routable_plan_free(api->plans[index].plan);
    free(api->plans);
    api->plans = NULL;
    api->plan_count = api->plan_capacity = 0;
}

/* Frees the plans, and the router if routable_typed_open or routable_typed_open_file opened it. */
static inline void routable_typed_close(routable_typed_api *api)
{
    routable_typed_forget(api);
    if (api->is_owned)
        routable_router_free(api->router);
    memset(api, 0, sizeof *api);
}

/* Returns the NUL-terminated dotted route, in `stack` or in memory that the caller must free; NULL for a standalone operation, and
 * if there is no memory. */
static inline char *routable_typed_route(const routable_typed_place *place, char *stack, size_t capacity)
{
    routable_typed_writer writer = { NULL, 0 };
    if (place->depth == 0)
        return NULL;
    for (int pass = 0; pass < 2; pass++) {
        writer.count = 0;
        for (uint32_t index = 0; index < place->depth; index++) {
            const char *name = place->api->names[place->resources[index]];
            routable_typed_put(&writer, ".", index > 0);
            routable_typed_put(&writer, name, strlen(name));
        }
        routable_typed_put(&writer, "", 1);
        if (pass == 0) {
            writer.out = writer.count <= capacity ? stack : (char *)malloc(writer.count);
            if (!writer.out)
                return NULL;
        }
    }
    return writer.out;
}

/* Returns the slot of a plan, or the free slot for it.  The key consists of numbers, which, unlike pointers, are the same in
 * all translation units.  The table always has a free slot. */
static inline routable_typed_plan *routable_typed_slot(
    routable_typed_plan *plans, uint32_t capacity, uint32_t operation, const uint16_t *resources, uint32_t depth)
{
    uint32_t hash = (2166136261u ^ operation) * 16777619u;
    for (uint32_t index = 0; index < depth; index++)
        hash = (hash ^ resources[index]) * 16777619u;
    for (hash ^= hash >> 15;; hash++) {
        routable_typed_plan *slot = &plans[hash & (capacity - 1)];
        if (!slot->plan || (slot->operation == operation && slot->depth == depth &&
                            (depth == 0 || memcmp(slot->resources, resources, depth * sizeof *resources) == 0)))
            return slot;
    }
}

/* Makes room for one more plan.  Returns 1, or 0 if there is no memory. */
static inline int routable_typed_grow(routable_typed_api *api)
{
    uint32_t capacity = api->plan_capacity ? api->plan_capacity * 2 : 16;
    routable_typed_plan *plans;
    if (api->plan_count * 4 < api->plan_capacity * 3)
        return 1;
    if (api->plan_count >= ROUTABLE_TYPED_PLANS) {
        routable_typed_forget(api);
        capacity = 16;
    }
    plans = (routable_typed_plan *)calloc(capacity, sizeof *plans);
    if (!plans)
        return 0;
    for (uint32_t index = 0; index < api->plan_capacity; index++) {
        const routable_typed_plan *old = &api->plans[index];
        if (old->plan)
            *routable_typed_slot(plans, capacity, old->operation, old->resources, old->depth) = *old;
    }
    free(api->plans);
    api->plans = plans;
    api->plan_capacity = capacity;
    return 1;
}

/* Returns the plan of an operation at a place.  The cache of the API owns the plan.  Statuses: those of routable_plan_new;
 * LIMIT (the route has more than 34 resources) and MEMORY, both without an error object. */
static inline routable_status routable_typed_plan_of(
    const routable_typed_place *place, const routable_typed_operation *operation, const routable_plan **out,
    routable_error **error)
{
    routable_typed_api *api = place->api;
    routable_typed_plan *slot = NULL;
    routable_plan *plan = NULL;
    char stack[512];
    char *route;
    routable_status status;
    if (api->plan_capacity)
        slot = routable_typed_slot(api->plans, api->plan_capacity, operation->number, place->resources, place->depth);
    if (slot && slot->plan) {
        if (error)
            *error = NULL;
        *out = slot->plan;
        return ROUTABLE_OK;
    }
    route = routable_typed_route(place, stack, sizeof stack);
    if (!route && place->depth > 0)
        return routable_typed_no_memory(error);
    status = routable_plan_new(api->router, route, operation->name, &plan, error);
    if (route != stack)
        free(route);
    if (status != ROUTABLE_OK)
        return status;
    if (place->depth > ROUTABLE_TYPED_IDS + 1 || !routable_typed_grow(api)) {
        routable_plan_free(plan);
        return place->depth > ROUTABLE_TYPED_IDS + 1 ? ROUTABLE_ERR_LIMIT : routable_typed_no_memory(error);
    }
    slot = routable_typed_slot(api->plans, api->plan_capacity, operation->number, place->resources, place->depth);
    slot->plan = plan;
    slot->operation = operation->number;
    slot->depth = place->depth;
    if (place->depth)
        memcpy(slot->resources, place->resources, place->depth * sizeof *slot->resources);
    api->plan_count++;
    *out = plan;
    return ROUTABLE_OK;
}

/* The number of parameters of an operation. */
static inline size_t routable_typed_parameter_count(const routable_typed_operation *operation)
{
    return operation->parameters ? operation->parameters->count : 0;
}

/* Reads the value of a parameter from `arguments`.  Lists and objects are written to `writer` as JSON.  Returns 1, or 0 if
 * the parameter is absent. */
static inline int routable_typed_parameter(
    const routable_typed_shape *shape, const routable_typed_field *field, const void *arguments, routable_typed_writer *writer,
    routable_value *out)
{
    const char *value = routable_typed_at(arguments, field->offset);
    memset(out, 0, sizeof *out);
    if (field->flags & 1) {
        routable_presence is;
        memcpy(&is, value, sizeof is);
        if (is != ROUTABLE_PRESENT)
            return 0;
        value += routable_typed_value_offset(field->kind);
    }
    switch (field->kind) {
    case ROUTABLE_TYPED_STRING:
    case ROUTABLE_TYPED_JSON:
        out->kind = field->kind == ROUTABLE_TYPED_STRING ? ROUTABLE_KIND_STRING : ROUTABLE_KIND_JSON;
        memcpy(&out->as.string, value, sizeof out->as.string);
        return out->as.string.ptr != NULL;
    case ROUTABLE_TYPED_INTEGER:
        out->kind = ROUTABLE_KIND_INTEGER;
        memcpy(&out->as.integer, value, sizeof out->as.integer);
        return 1;
    case ROUTABLE_TYPED_NUMBER:
        out->kind = ROUTABLE_KIND_REAL;
        memcpy(&out->as.real, value, sizeof out->as.real);
        return 1;
    case ROUTABLE_TYPED_BOOLEAN: {
        bool truth;
        memcpy(&truth, value, sizeof truth);
        out->kind = ROUTABLE_KIND_BOOLEAN;
        out->as.integer = truth;
        return 1;
    }
    default: {
        size_t start = writer->count;
        routable_typed_put_value(writer, field->kind, routable_typed_inner(shape, field), value, 0);
        out->kind = ROUTABLE_KIND_JSON;
        out->as.string.ptr = writer->out ? writer->out + start : "";
        out->as.string.len = writer->count - start;
        return 1;
    }
    }
}

/* Writes the URL of an operation whose parameters are all single values.
 * Statuses: those of routable_typed_plan_of and routable_plan_write. */
static inline routable_status routable_typed_url(
    const routable_typed_place *place, const routable_typed_operation *operation, const void *arguments, char *buffer,
    size_t capacity, size_t *length, routable_error **error)
{
    routable_value stack[ROUTABLE_TYPED_IDS + 24];
    routable_value *values = stack;
    routable_typed_writer none = { NULL, 0 };
    const routable_plan *plan = NULL;
    size_t id_count = place->id_count < ROUTABLE_TYPED_IDS ? place->id_count : ROUTABLE_TYPED_IDS;
    size_t count = id_count + routable_typed_parameter_count(operation);
    size_t filled;
    routable_status status = routable_typed_plan_of(place, operation, &plan, error);
    if (status != ROUTABLE_OK)
        return status;
    if (count > sizeof stack / sizeof stack[0]) {
        values = (routable_value *)malloc(count * sizeof *values);
        if (!values)
            return routable_typed_no_memory(error);
    }
    for (size_t index = 0; index < id_count; index++)
        values[index] = routable_typed_value_of(&place->ids[index]);
    filled = id_count;
    for (size_t index = 0; arguments && index < routable_typed_parameter_count(operation); index++) {
        const routable_typed_field *field = &operation->parameters->fields[index];
        int32_t location = field->flags >> 1;
        if (location == ROUTABLE_IN_HEADER || location == ROUTABLE_IN_COOKIE)
            continue;
        (void)routable_typed_parameter(operation->parameters, field, arguments, &none, &values[filled++]);
        id_count += location == ROUTABLE_IN_PATH;
    }
    status = routable_plan_write(
        plan, values, id_count, values + id_count, filled - id_count, buffer, capacity, length, error);
    if (values != stack)
        free(values);
    return status;
}

/* The values of a request that is being built. */
typedef struct routable_typed_values {
    routable_argument *ids, *query, *headers, *cookies;
} routable_typed_values;

/* Fills the arguments of a call.  routable_typed_request calls the function twice: first to count the bytes that `writer`
 * writes, then to write them. */
static inline void routable_typed_fill(
    const routable_typed_place *place, const routable_typed_operation *operation, const void *arguments, const void *input,
    const routable_typed_values *to, routable_typed_writer *writer, routable_call *call)
{
    const char *name = operation->parameters ? operation->parameters->names : NULL;
    call->id_count = call->query_count = call->header_count = call->cookie_count = 0;
    for (uint32_t index = 0; index < place->id_count && index < ROUTABLE_TYPED_IDS; index++) {
        to->ids[call->id_count].name = NULL;
        to->ids[call->id_count++].value = routable_typed_value_of(&place->ids[index]);
    }
    for (size_t index = 0; arguments && index < routable_typed_parameter_count(operation); index++) {
        const routable_typed_field *field = &operation->parameters->fields[index];
        int32_t location = field->flags >> 1;
        routable_argument argument;
        argument.name = location == ROUTABLE_IN_PATH ? NULL : name;
        name += strlen(name) + 1;
        if (!routable_typed_parameter(operation->parameters, field, arguments, writer, &argument.value) && location != ROUTABLE_IN_PATH)
            continue;
        switch (location) {
        case ROUTABLE_IN_PATH: to->ids[call->id_count++] = argument; break;
        case ROUTABLE_IN_QUERY: to->query[call->query_count++] = argument; break;
        case ROUTABLE_IN_HEADER: to->headers[call->header_count++] = argument; break;
        default: to->cookies[call->cookie_count++] = argument; break;
        }
    }
    call->ids = to->ids;
    call->query = to->query;
    call->headers = to->headers;
    call->cookies = to->cookies;
    if (!input)
        return;
    if (operation->input == ROUTABLE_TYPED_OPEN) {
        routable_open_input open;
        memcpy(&open, input, sizeof open);
        call->parameters = open.parameters;
        call->parameter_count = open.parameter_count;
        call->body = open.body;
        call->content_type = open.content_type;
    } else if (operation->input == ROUTABLE_TYPED_BYTES) {
        call->body.kind = ROUTABLE_KIND_STRING;
        memcpy(&call->body.as.string, input, sizeof call->body.as.string);
    } else {
        size_t start = writer->count;
        const routable_typed_shape *shape = operation->input_shape ? operation->input_shape() : NULL;
        if (operation->input == ROUTABLE_TYPED_RECORD || operation->input == ROUTABLE_TYPED_UNION)
            routable_typed_put_record(writer, shape, input, 0);
        else
            routable_typed_put_value(writer, operation->input, shape, input, 0);
        call->body.kind = ROUTABLE_KIND_JSON;
        call->body.as.string.ptr = writer->out ? writer->out + start : "";
        call->body.as.string.len = writer->count - start;
    }
}

/* Builds the request.  `arguments` and `input` may be NULL.  Statuses: those of routable_request_new. */
static inline routable_status routable_typed_request(
    const routable_typed_place *place, const routable_typed_operation *operation, const void *arguments, const void *input,
    routable_request **out, routable_error **error)
{
    enum { STACK = 24 };
    routable_argument stack[ROUTABLE_TYPED_IDS + STACK * 4];
    routable_argument *memory = stack;
    char name[512], text[1024];
    char *route = routable_typed_route(place, name, sizeof name);
    size_t count = routable_typed_parameter_count(operation);
    routable_typed_values to;
    routable_typed_writer writer = { NULL, 0 };
    routable_call call = ROUTABLE_CALL_INIT;
    routable_status status;
    if (count > STACK)
        memory = (routable_argument *)malloc((ROUTABLE_TYPED_IDS + count * 4) * sizeof *memory);
    if (!memory || (!route && place->depth > 0)) {
        status = routable_typed_no_memory(error);
        goto done;
    }
    to.ids = memory;
    to.query = memory + ROUTABLE_TYPED_IDS + count;
    to.headers = to.query + count;
    to.cookies = to.headers + count;
    call.route = route;
    call.operation = operation->name;
    routable_typed_fill(place, operation, arguments, input, &to, &writer, &call);
    writer.out = writer.count <= sizeof text ? text : (char *)malloc(writer.count);
    if (!writer.out) {
        status = routable_typed_no_memory(error);
        goto done;
    }
    writer.count = 0;
    routable_typed_fill(place, operation, arguments, input, &to, &writer, &call);
    status = routable_request_new(place->api->router, &call, out, error);
done:
    if (writer.out != text)
        free(writer.out);
    if (memory != stack)
        free(memory);
    if (route != name)
        free(route);
    return status;
}

/* ------------------------------------------------------------------------------------------------
 * Responses
 */

/* The first members of every generated result struct.  Frozen. */
typedef struct routable_typed_result {
    int32_t http_status;
    routable_outcome outcome;
    const void *value;
    routable_response *response;
    void *memory;
} routable_typed_result;
#define ROUTABLE_TYPED_RESULT_INIT { 0, ROUTABLE_OUTCOME_EMPTY, NULL, NULL, NULL }

/* Returns 1 if a request belongs to an operation, otherwise 0.  `resource` is the last resource of the route, or "" for a
 * standalone operation. */
static inline int routable_typed_is_of(const routable_request *request, const char *resource, const char *operation)
{
    routable_str route = routable_request_route(request);
    size_t start = route.len;
    while (start > 0 && route.ptr[start - 1] != '.')
        start--;
    if (start > 0) {
        route.ptr += start;
        route.len -= start;
    }
    return routable_typed_is(route, resource, strlen(resource)) &&
        routable_typed_is(routable_request_operation(request), operation, strlen(operation));
}

/* Makes a result, which takes ownership of the response.  The value is NULL if the response has none of the declared type.  A body
 * that is raw because of a deviation, such as a status that is not declared, is read as far as it has the type. */
static inline void routable_typed_result_of(
    const routable_typed_operation *operation, routable_response *response, routable_typed_result *out)
{
    memset(out, 0, sizeof *out);
    out->response = response;
    out->http_status = routable_response_status(response);
    out->outcome = routable_response_outcome(response);
    if (out->outcome == ROUTABLE_OUTCOME_EMPTY || !operation->output ||
        (out->outcome == ROUTABLE_OUTCOME_RAW && routable_response_deviation_count(response) == 0))
        return;
    (void)routable_typed_read_body(
        response, operation->output, operation->output_shape ? operation->output_shape() : NULL, &out->value, &out->memory);
}

/* Reads an item of a page or of a stream.  If the JSON does not have the type that `kind` and `shape` describe, the value is
 * NULL, and the outcome is ROUTABLE_OUTCOME_RAW.  Statuses: JSON, LIMIT. */
static inline routable_status routable_typed_item_of(
    routable_str text, routable_typed_kind kind, const routable_typed_shape *shape, routable_typed_result *out, routable_error **error)
{
    routable_json_values *json = NULL;
    routable_status status = routable_json_values_read(text.ptr, text.len, &json, error);
    memset(out, 0, sizeof *out);
    if (status != ROUTABLE_OK)
        return status;
    out->outcome = routable_typed_read(json, kind, shape, 0, &out->value, &out->memory) ? ROUTABLE_OUTCOME_SELF : ROUTABLE_OUTCOME_RAW;
    routable_json_values_free(json);
    return ROUTABLE_OK;
}

/* Frees the response and the value, and clears the struct. */
static inline void routable_typed_result_free(routable_typed_result *result)
{
    routable_response_free(result->response);
    routable_typed_free(result->memory);
    memset(result, 0, sizeof *result);
}

/* The declared type of the error bodies for a range of statuses, and the offset of the pointer to the body in a generated
 * struct. */
typedef struct routable_typed_problem {
    int32_t lowest, highest;
    uint32_t offset;
    routable_typed_kind kind;
    routable_typed_shape_of shape;
} routable_typed_problem;

/* The first members of every generated struct of errors.  Frozen. */
typedef struct routable_typed_errors {
    int32_t http_status;
    routable_error_body body;
    void *memory;
} routable_typed_errors;

/* Reads the body of an error response into `out`, a zeroed struct of errors.  Returns 1 if the body has the type that is
 * declared for the status, otherwise 0. */
static inline int routable_typed_errors_of(
    const routable_error *error, const routable_typed_problem *problems, size_t count, routable_typed_errors *out)
{
    const routable_response *response = routable_error_response(error);
    out->http_status = routable_error_http_status(error);
    for (size_t index = 0; response && index < count; index++) {
        const routable_typed_problem *each = &problems[index];
        const void *value = NULL;
        if (out->http_status < each->lowest || out->http_status > each->highest)
            continue;
        out->body = ROUTABLE_ERROR_BODY_MISFIT;
        if (!routable_typed_read_body(response, each->kind, each->shape ? each->shape() : NULL, &value, &out->memory))
            return 0;
        out->body = ROUTABLE_ERROR_BODY_TYPED;
        memcpy((char *)out + each->offset, &value, sizeof value);
        return 1;
    }
    return 0;
}

/* Returns whether a result without a value is one: the body is empty, or JSON of another kind than declared, which is read from
 * the response.  Otherwise the body is not JSON, or lacks what the type requires. */
static inline int routable_typed_is_whole(const routable_typed_result *result)
{
    routable_json_values *json = NULL;
    int is_json = result->outcome == ROUTABLE_OUTCOME_RAW && routable_response_json_value(result->response, &json, NULL) == ROUTABLE_OK;
    routable_json_values_free(json);
    return is_json || result->outcome == ROUTABLE_OUTCOME_EMPTY;
}

/* Builds and performs the request, and reads the response.  If the response deviates from its description
 * (routable_response_deviation_at), members that can be absent or null and do not have their type are absent in the value, and
 * the value of an empty body or of JSON of another kind than declared is NULL.  If the type cannot hold the value otherwise, the
 * function returns RESPONSE, and the error contains the response.
 * Statuses: those of routable_request_new and of routable_client_perform. */
static inline routable_status routable_typed_perform(
    const routable_typed_place *place, const routable_typed_operation *operation, const void *arguments, const void *input,
    const routable_client *client, routable_typed_result *out, routable_error **error)
{
    routable_request *request = NULL;
    routable_response *response = NULL;
    routable_policy policy = ROUTABLE_POLICY_INIT;
    routable_status status = routable_typed_request(place, operation, arguments, input, &request, error);
    if (status != ROUTABLE_OK)
        return status;
    policy.flags = ROUTABLE_POLICY_KEEP_JSON; /* routable_typed_result_of reads the JSON */
    status = routable_client_perform_with(client, request, &policy, &response, error);
    routable_request_free(request);
    if (status != ROUTABLE_OK)
        return status;
    routable_typed_result_of(operation, response, out);
    if (!out->value && operation->output && routable_response_deviation_count(response) > 0 && !routable_typed_is_whole(out)) {
        status = routable_response_check(response, error);
        routable_typed_result_free(out);
    }
    return status;
}

#ifdef __cplusplus
}
#endif
#endif
