/* A wide graph by the generated C header: several ids in one step, no literal, ids of several segments. */
#include "code.h"

#include <stdio.h>

static int show(routable_status status, const char *url)
{
    if (status == ROUTABLE_OK)
        printf("GET %s\n", url);
    return status != ROUTABLE_OK;
}

int main(void)
{
    code api;
    code_repository repository;
    char url[256];
    size_t length;
    int failed;
    if (code_open(&api, NULL, NULL) != ROUTABLE_OK)
        return 1;
    repository = code_root_repository(&api, code_repository_id_of("o", "r/x"));
    failed = show(code_repository_read_url(repository, url, sizeof url, &length, NULL), url);
    failed |= show(
        code_repository_list_url(
            code_root_repository_set(&api, code_repository_set_id_of("o")), url, sizeof url, &length, NULL), url);
    failed |= show(
        code_file_read_url(code_repository_file(repository, code_file_id_of("a/b c")), url, sizeof url, &length, NULL), url);
    failed |= show(
        code_label_read_url(
            code_repository_label(repository, code_label_id_of(7, "k", "n")), url, sizeof url, &length, NULL), url);
    failed |= show(
        code_label_list_url(
            code_repository_label_set(repository, code_label_set_id_of(7, "k")), url, sizeof url, &length, NULL), url);
    failed |= show(
        code_repository_read_url(
            code_root_repository(&api, code_repository_id_of_str(routable_str_from("o"), routable_str_from("r"))), url,
            sizeof url, &length, NULL), url);
    failed |= show(
        code_image_tags_url(code_root_image(&api, code_image_id_of("a/b")), url, sizeof url, &length, NULL), url);
    failed |= show(
        code_account_read_url(code_root_account(&api, code_account_id_of("me")), url, sizeof url, &length, NULL), url);
    code_close(&api);
    return failed;
}
