/* Reads each value as its generated type and writes it again.  A line of standard input has the operation, the status (0: a body), the
 * route and the JSON, separated by tabs; a line of standard output is the JSON, or "-" if the value was not read.  A result is
 * the body of a response, which the library validates against the description, the first argument.  OPERATIONS lists the functions of
 * the generated header. */
#include HEADER

static const routable_typed_operation *(*const operations[])(void) = { OPERATIONS };

/* Reads a result as generated functions do. */
static int result(
    const routable_router *router, const routable_typed_operation *operation, int status, const char *route, routable_str json,
    const void **value, void **memory)
{
    routable_response *response = NULL;
    routable_typed_result result;
    if (routable_response_map(router, *route ? route : NULL, operation->name, status, NULL, 0, json, &response, NULL) != ROUTABLE_OK)
        return 0;
    routable_typed_result_of(operation, response, &result);
    routable_response_free(response); /* the value does not refer to the response */
    *value = result.value;
    *memory = result.memory;
    return result.value != NULL;
}

/* Reads a body. */
static int body(const routable_typed_operation *operation, routable_str json, const void **value, void **memory)
{
    routable_json_values *values = NULL;
    int is_read;
    if (routable_json_values_read(json.ptr, json.len, &values, NULL) != ROUTABLE_OK)
        return 0;
    is_read = routable_typed_read(values, operation->input, operation->input_shape ? operation->input_shape() : NULL, 0, value, memory);
    routable_json_values_free(values);
    return is_read;
}

static int trip(const routable_router *router, const routable_typed_operation *operation, int status, const char *route, const char *json)
{
    routable_typed_kind kind = status ? operation->output : operation->input;
    routable_typed_shape_of of = status ? operation->output_shape : operation->input_shape;
    const routable_typed_shape *shape = of ? of() : NULL;
    routable_typed_writer writer = { NULL, 0 };
    const void *value = NULL;
    void *memory = NULL;
    int is_read;
    if (kind == ROUTABLE_TYPED_NONE || kind >= ROUTABLE_TYPED_OPEN)
        return 0;
    is_read = status ? result(router, operation, status, route, routable_str_from(json), &value, &memory)
                     : body(operation, routable_str_from(json), &value, &memory);
    for (int pass = 0; is_read && pass < 2; pass++) {
        writer.count = 0;
        if (kind == ROUTABLE_TYPED_RECORD || kind == ROUTABLE_TYPED_UNION)
            routable_typed_put_record(&writer, shape, value, 0);
        else
            routable_typed_put_value(&writer, kind, shape, value, 0);
        if (pass == 0)
            writer.out = (char *)malloc(writer.count + 1);
        if (!writer.out)
            abort();
    }
    routable_typed_free(memory);
    if (is_read)
        printf("%.*s\n", (int)writer.count, writer.out);
    free(writer.out);
    return is_read;
}

int main(int count, char **words)
{
    static char line[1 << 22];
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_router *router = NULL;
    options.base = "https://h.test";
    if (count < 2 || routable_router_open_file(words[1], &options, &router, NULL) != ROUTABLE_OK)
        return 1;
    while (fgets(line, (int)sizeof line, stdin)) {
        char *status, *route, *json;
        unsigned long number = strtoul(line, &status, 10);
        long code = strtol(status, &route, 10);
        json = strchr(route + 1, '\t');
        if (!json || number >= sizeof operations / sizeof operations[0])
            return 1;
        *json++ = '\0';
        json[strcspn(json, "\n")] = '\0';
        if (!trip(router, operations[number](), (int)code, route + 1, json))
            puts("-");
    }
    routable_router_free(router);
    return 0;
}
