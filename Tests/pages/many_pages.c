/* Reads the items of all pages, and prints their number, a checksum, and the memory of the process after 100 pages and at the end.
 *
 *     many_pages DOCUMENT CALL ITEMS_BEFORE BACKWARDS */
#include <routable.h>
#include <routable_json.h>
#include <routable_pages.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long resident(void)
{
    long pages = 0, all = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &all, &pages) != 2)
        pages = 0;
    if (file)
        fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

int main(int argc, char **argv)
{
    routable_pages_options options = ROUTABLE_PAGES_OPTIONS_INIT;
    routable_router *api = NULL;
    routable_client *client = NULL;
    routable_request *request = NULL;
    routable_pages *pages = NULL;
    routable_error *error = NULL;
    routable_str item;
    routable_status status;
    unsigned long long checksum = 0, count = 0, before;
    long first = 0;
    size_t used = 0;
    if (argc != 5)
        return 2;
    before = strtoull(argv[3], NULL, 10);
    routable_set_memory_limit((size_t)1 << 40); /* the memory is counted from here */
    options.max_pages = 1 << 20;
    options.flags = *argv[4] == '1' ? ROUTABLE_PAGES_BACKWARDS : 0;
    status = routable_router_open(argv[1], ROUTABLE_NUL_TERMINATED, NULL, &api, &error);
    if (status == ROUTABLE_OK)
        status = routable_client_new(NULL, &client, &error);
    if (status == ROUTABLE_OK)
        status = routable_request_new_json(api, argv[2], ROUTABLE_NUL_TERMINATED, &request, &error);
    if (status == ROUTABLE_OK)
        status = routable_pages_new(client, request, &options, &pages, &error);
    while (status == ROUTABLE_OK && (status = routable_pages_next_item(pages, NULL, &item, &error)) == ROUTABLE_OK) {
        const char *id = strstr(item.ptr, "\"id\"");
        checksum = checksum * 31 + (id ? strtoull(id + 5, NULL, 10) : 0);
        if (++count == before) {
            first = resident();
            used = routable_memory_used();
        }
    }
    if (status != ROUTABLE_IDLE) {
        fprintf(stderr, "%s\n", routable_error_message(error).ptr);
        return 1;
    }
    printf("{\"count\":%llu,\"checksum\":%llu,\"resident\":[%ld,%ld],\"used\":[%zu,%zu]}\n", count, checksum, first, resident(), used,
        routable_memory_used());
    routable_pages_free(pages);
    routable_request_free(request);
    routable_client_free(client);
    routable_router_free(api);
    return 0;
}
