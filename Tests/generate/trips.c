/* Reads each value as its generated type and writes it again: lines "operation r|b JSON" on standard input, a line of JSON for each on
 * standard output, or "-" where it was not read.  OPERATIONS lists the functions of the generated header. */
#include HEADER

static const routable_typed_operation *(*const operations[])(void) = { OPERATIONS };

static int trip(const routable_typed_operation *operation, int is_result, const char *json, size_t length)
{
    routable_typed_kind kind = is_result ? operation->output : operation->input;
    routable_typed_shape_of of = is_result ? operation->output_shape : operation->input_shape;
    const routable_typed_shape *shape = of ? of() : NULL;
    routable_json_values *values = NULL;
    routable_typed_writer writer = { NULL, 0 };
    const void *value = NULL;
    void *memory = NULL;
    int is_read;
    if (kind == ROUTABLE_TYPED_NONE || kind >= ROUTABLE_TYPED_OPEN || routable_json_values_read(json, length, &values, NULL) != ROUTABLE_OK)
        return 0;
    is_read = routable_typed_read(values, kind, shape, &value, &memory);
    routable_json_values_free(values);
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

int main(void)
{
    static char line[1 << 22];
    while (fgets(line, (int)sizeof line, stdin)) {
        unsigned long number = strtoul(line, NULL, 10);
        char *rest = strchr(line, ' ');
        if (!rest || number >= sizeof operations / sizeof operations[0] || !trip(operations[number](), rest[1] == 'r', rest + 3, strlen(rest + 3)))
            puts("-");
    }
    return 0;
}
