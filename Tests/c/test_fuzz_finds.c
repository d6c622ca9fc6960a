/* Replays the stored inputs of the fuzz targets (fuzz/README.md): every input that failed, and the corpora. */
#include "support.h"

#include <dirent.h>

#define FUZZ_FAIL(...) fail_msg(__VA_ARGS__)

#define LLVMFuzzerTestOneInput fuzz_answer
#include "../../fuzz/targets/answer.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_call
#include "../../fuzz/targets/call.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_coverage
#include "../../fuzz/targets/coverage.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_document
#include "../../fuzz/targets/document.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_edit
#include "../../fuzz/targets/edit.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_encoding
#include "../../fuzz/targets/encoding.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_files
#include "../../fuzz/targets/files.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_header
#include "../../fuzz/targets/header.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_json_text
#include "../../fuzz/targets/json.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_match
#include "../../fuzz/targets/match.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_mock
#include "../../fuzz/targets/mock.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_multipart
#include "../../fuzz/targets/multipart.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_openapi
#include "../../fuzz/targets/openapi.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_received
#include "../../fuzz/targets/received.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_response
#include "../../fuzz/targets/response.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_retry
#include "../../fuzz/targets/retry.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_schema
#include "../../fuzz/targets/schema.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_stream
#include "../../fuzz/targets/stream.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_template
#include "../../fuzz/targets/template.c"
#undef LLVMFuzzerTestOneInput

typedef int (*fuzz_target)(const uint8_t *data, size_t size);

/* How many inputs the folder has; none when it is not there. */
static size_t replay_folder(fuzz_target target, const char *folder)
{
    DIR *const files = opendir(path_below_root(folder));
    struct dirent *entry;
    size_t count = 0;
    while (files && (entry = readdir(files)) != NULL) {
        char path[512];
        size_t length;
        char *bytes;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        bytes = read_file(path, &length);
        print_message("%s\n", path);
        target((const uint8_t *)bytes, length);
        free(bytes);
        count++;
    }
    if (files)
        closedir(files);
    return count;
}

static void replay(fuzz_target target, const char *name)
{
    char folder[128];
    snprintf(folder, sizeof folder, "fuzz/finds/%s", name);
    replay_folder(target, folder);
    snprintf(folder, sizeof folder, "fuzz/corpus/%s", name);
    assert_true(replay_folder(target, folder) > 0);
    target((const uint8_t *)"", 0);
}

static void replay_answer(void **state) { (void)state; replay(fuzz_answer, "answer"); }
static void replay_call(void **state) { (void)state; replay(fuzz_call, "call"); }
static void replay_document(void **state) { (void)state; replay(fuzz_document, "document"); }
static void replay_edit(void **state) { (void)state; replay(fuzz_edit, "edit"); }
static void replay_encoding(void **state) { (void)state; replay(fuzz_encoding, "encoding"); }
static void replay_files(void **state) { (void)state; replay(fuzz_files, "files"); }
static void replay_header(void **state) { (void)state; replay(fuzz_header, "header"); }
static void replay_json(void **state) { (void)state; replay(fuzz_json_text, "json"); }
static void replay_match(void **state) { (void)state; replay(fuzz_match, "match"); }
static void replay_coverage(void **state) { (void)state; replay(fuzz_coverage, "coverage"); }
static void replay_mock(void **state) { (void)state; replay(fuzz_mock, "mock"); }
static void replay_multipart(void **state) { (void)state; replay(fuzz_multipart, "multipart"); }
static void replay_openapi(void **state) { (void)state; replay(fuzz_openapi, "openapi"); }
static void replay_received(void **state) { (void)state; replay(fuzz_received, "received"); }
static void replay_response(void **state) { (void)state; replay(fuzz_response, "response"); }
static void replay_retry(void **state) { (void)state; replay(fuzz_retry, "retry"); }
static void replay_schema(void **state) { (void)state; replay(fuzz_schema, "schema"); }
static void replay_stream(void **state) { (void)state; replay(fuzz_stream, "stream"); }
static void replay_template(void **state) { (void)state; replay(fuzz_template, "template"); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replay_answer),
        cmocka_unit_test(replay_call),
        cmocka_unit_test(replay_coverage),
        cmocka_unit_test(replay_document),
        cmocka_unit_test(replay_edit),
        cmocka_unit_test(replay_encoding),
        cmocka_unit_test(replay_files),
        cmocka_unit_test(replay_header),
        cmocka_unit_test(replay_json),
        cmocka_unit_test(replay_match),
        cmocka_unit_test(replay_mock), cmocka_unit_test(replay_multipart),
        cmocka_unit_test(replay_openapi),
        cmocka_unit_test(replay_received),
        cmocka_unit_test(replay_response),
        cmocka_unit_test(replay_retry),
        cmocka_unit_test(replay_schema),
        cmocka_unit_test(replay_stream),
        cmocka_unit_test(replay_template),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
