/* Parts of a form: any names, filenames, types and contents. A reader that implements only RFC 2046 finds the same parts. */
#include "../fuzz.h"

#include "routable_bodies.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char multipart_document[] =
    "{\"routable\":1,\"base\":\"https://h\",\"operations\":{\"send\":{\"post\":\"/\",\"body_as\":\"bytes\",\"body_required\":false}}}";

enum { MULTIPART_MOST = 8 };

static routable_str multipart_boundary(const routable_request *request)
{
    size_t i;
    for (i = 0; i < routable_request_header_count(request); i++) {
        const routable_header header = routable_request_header_at(request, i);
        static const char mark[] = "multipart/form-data; boundary=";
        if (strcmp(header.name.ptr, "Content-Type") == 0 && strncmp(header.value.ptr, mark, sizeof mark - 1) == 0) {
            routable_str boundary;
            boundary.ptr = header.value.ptr + sizeof mark - 1;
            boundary.len = header.value.len - (sizeof mark - 1);
            return boundary;
        }
    }
    FUZZ_FAIL("multipart: expected a Content-Type with a boundary");
    return routable_str_from("");
}

/* The name with WHATWG's escapes; bytes that the library refuses do not occur here. */
static size_t multipart_escaped(routable_str name, int html, char *out)
{
    size_t i, n = 0;
    for (i = 0; i < name.len; i++) {
        const char byte = name.ptr[i];
        const int alone = byte == '\r' ? i + 1 == name.len || name.ptr[i + 1] != '\n' : byte == '\n' && (i == 0 || name.ptr[i - 1] != '\r');
        if (byte == '"' || byte == '\r' || byte == '\n')
            n += (size_t)sprintf(out + n, "%s%%%02X%s", html && alone && byte == '\n' ? "%0D" : "", (unsigned)byte,
                html && alone && byte == '\r' ? "%0A" : "");
        else
            out[n++] = byte;
    }
    return n;
}

static size_t multipart_crlf(routable_str text, char *out)
{
    size_t i, n = 0;
    for (i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\n' && (i == 0 || text.ptr[i - 1] != '\r'))
            out[n++] = '\r';
        out[n++] = text.ptr[i];
        if (text.ptr[i] == '\r' && (i + 1 == text.len || text.ptr[i + 1] != '\n'))
            out[n++] = '\n';
    }
    return n;
}

static void multipart_expect(routable_str body, size_t *place, const char *bytes, size_t count)
{
    EXPECT(body.len - *place >= count && memcmp(body.ptr + *place, bytes, count) == 0, "multipart: expected \"%.*s\" at %zu of \"%.*s\"",
        (int)count, bytes, *place, (int)body.len, body.ptr);
    *place += count;
}

/* Checks that the body contains exactly these parts. */
static void multipart_check(const routable_request *request, const routable_part *parts, size_t count, int html)
{
    const routable_str body = routable_request_body(request), boundary = multipart_boundary(request);
    char *const text = (char *)malloc(body.len * 3 + 400);
    size_t place = 0, i, n, lines = 0;
    for (i = 0; i < count; i++) {
        const int is_field = !parts[i].filename;
        const char *type = parts[i].content_type;
        multipart_expect(body, &place, "--", 2);
        multipart_expect(body, &place, boundary.ptr, boundary.len);
        n = (size_t)sprintf(text, "\r\nContent-Disposition: form-data; name=\"");
        n += multipart_escaped(parts[i].name, html, text + n);
        n += (size_t)sprintf(text + n, "\"");
        multipart_expect(body, &place, text, n);
        if (!is_field) {
            n = (size_t)sprintf(text, "; filename=\"");
            n += multipart_escaped(routable_str_from(parts[i].filename), 0, text + n);
            n += (size_t)sprintf(text + n, "\"");
            multipart_expect(body, &place, text, n);
        }
        multipart_expect(body, &place, "\r\n", 2);
        if (type || !is_field) { /* a single line, whatever it contains */
            multipart_expect(body, &place, "Content-Type: ", 14);
            while (place < body.len && body.ptr[place] != '\r') {
                EXPECT((unsigned char)body.ptr[place] >= 0x20 || body.ptr[place] == '\t', "multipart: expected a type of one line");
                place++;
            }
            multipart_expect(body, &place, "\r\n", 2);
        }
        multipart_expect(body, &place, "\r\n", 2);
        if (html && is_field) {
            n = multipart_crlf(parts[i].content, text);
            multipart_expect(body, &place, text, n);
        } else {
            multipart_expect(body, &place, parts[i].content.ptr, parts[i].content.len);
        }
        multipart_expect(body, &place, "\r\n", 2);
    }
    n = (size_t)sprintf(text, "--%s--\r\n", boundary.ptr);
    multipart_expect(body, &place, text, n);
    EXPECT(place == body.len, "multipart: expected the end");
    /* The boundary occurs only between the parts and at the end. */
    for (place = 0; place + boundary.len <= body.len; place++)
        lines += memcmp(body.ptr + place, boundary.ptr, boundary.len) == 0;
    EXPECT(lines == count + 1, "multipart: expected %zu boundaries, got %zu", count + 1, lines);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const routable_status allowed[] = { ROUTABLE_ERR_VALUE, ROUTABLE_ERR_HEADER, ROUTABLE_OK };
    static routable_router *kept;
    const routable_router *const router = fuzz_router(&kept, multipart_document);
    fuzz_input input = { (const char *)data, size };
    routable_part parts[MULTIPART_MOST];
    char *names[MULTIPART_MOST * 2];
    routable_request *request = NULL;
    routable_error *error = NULL;
    routable_status status;
    size_t count = 0, i;
    const unsigned flags = fuzz_byte(&input) & 1;
    if (routable_request_new_json(router, "{\"operation\":\"send\"}", ROUTABLE_NUL_TERMINATED, &request, NULL) != ROUTABLE_OK)
        FUZZ_FAIL("multipart: expected a request");
    while (input.left && count < MULTIPART_MOST) {
        const routable_part empty = ROUTABLE_PART_INIT;
        const unsigned shape = fuzz_byte(&input);
        routable_part *const part = &parts[count];
        *part = empty;
        part->name = fuzz_field(&input);
        names[count * 2] = shape & 1 ? fuzz_name(&input) : NULL;
        names[count * 2 + 1] = shape & 2 ? fuzz_name(&input) : NULL;
        part->filename = names[count * 2];
        part->content_type = names[count * 2 + 1] && *names[count * 2 + 1] ? names[count * 2 + 1] : NULL;
        part->content = fuzz_field(&input);
        count++;
    }
    status = routable_request_set_multipart(request, parts, count, flags, &error);
    fuzz_check_error("multipart", status, allowed, error, NULL);
    EXPECT(routable_request_has_body(request) == (status == ROUTABLE_OK), "multipart: expected a body only with ok");
    if (status == ROUTABLE_OK) {
        routable_string line = { NULL, 0 };
        multipart_check(request, parts, count, (int)flags);
        EXPECT(routable_request_to_curl(request, 0, &line, NULL) == ROUTABLE_OK && strlen(line.ptr) == line.len, "multipart: expected a curl line");
        routable_string_free(&line);
    }
    for (i = 0; i < count * 2; i++)
        free(names[i]);
    routable_request_free(request);
    return 0;
}
