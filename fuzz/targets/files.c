/* Documents of several files: an OpenAPI document, and after each byte 0xFF another document, which a loader returns by its number
 * ("1", "2.yaml", "3.json" ...).  The result is one document: it opens again without the loader, and is written as the same bytes. */
#include "../fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct files_documents {
    routable_str list[16];
    size_t count;
};

static routable_status files_load(routable_str uri, routable_str *out, void *user_data)
{
    const struct files_documents *const documents = user_data;
    unsigned number = 0;
    size_t i;
    for (i = 0; i < uri.len && i < 2 && uri.ptr[i] >= '0' && uri.ptr[i] <= '9'; i++)
        number = number * 10 + (unsigned)(uri.ptr[i] - '0');
    if (i > 0 && number < documents->count)
        *out = documents->list[number];
    return ROUTABLE_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const routable_status allowed[] = { ROUTABLE_ERR_JSON, ROUTABLE_ERR_DOCUMENT, ROUTABLE_ERR_CONFLICT, ROUTABLE_ERR_UNSUPPORTED,
        ROUTABLE_ERR_LIMIT, ROUTABLE_ERR_URL, ROUTABLE_ERR_HEADER, ROUTABLE_ERR_ARGUMENT, ROUTABLE_OK };
    struct files_documents documents = { .count = 0 };
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_router *router = NULL, *again = NULL;
    routable_error *error = NULL;
    routable_status status;
    size_t start = 0, i;
    for (i = 0; i <= size && documents.count < 16; i++)
        if (i == size || data[i] == 0xFF) {
            documents.list[documents.count].ptr = (const char *)data + start;
            documents.list[documents.count++].len = i - start;
            start = i + 1;
        }
    options.load = files_load;
    options.load_user_data = &documents;
    options.max_document_bytes = 1 << 20;
    status = routable_router_open(documents.list[0].ptr, documents.list[0].len, &options, &router, &error);
    fuzz_check_error("files", status, allowed, error, NULL);
    if (status == ROUTABLE_OK) {
        routable_string one = fuzz_document_of("files", router), two;
        EXPECT(one.len <= 1 << 20, "files: expected at most the maximum number of bytes, got %zu", one.len);
        status = routable_router_open(one.ptr, one.len, NULL, &again, &error);
        fuzz_check_error("files: again", status, allowed, error, NULL);
        if (status == ROUTABLE_OK) {
            two = fuzz_document_of("files: again", again);
            EXPECT(one.len == two.len && memcmp(one.ptr, two.ptr, one.len) == 0, "files: expected the same document, got %s", two.ptr);
            routable_string_free(&two);
        }
        routable_string_free(&one);
    }
    routable_router_free(again);
    routable_router_free(router);
    return 0;
}
