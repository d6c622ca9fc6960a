/* replay.c - runs one target with the inputs in the folders of its arguments, for the table of coverage. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *count, char ***words) __attribute__((weak));
/* targets.c refers to this function; it is not called here. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity)
{
    (void)data, (void)capacity;
    return size;
}

int main(int count, char **words)
{
    static uint8_t bytes[1 << 20];
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&count, &words);
    while (*++words) {
        DIR *const files = opendir(*words);
        struct dirent *entry;
        while (files && (entry = readdir(files)) != NULL) {
            char path[1024];
            FILE *file;
            snprintf(path, sizeof path, "%s/%s", *words, entry->d_name);
            file = entry->d_name[0] == '.' ? NULL : fopen(path, "r");
            if (!file)
                continue;
            {
                const size_t length = fread(bytes, 1, sizeof bytes, file);
                uint8_t *const exact = malloc(length ? length : 1);
                size_t i;
                for (i = 0; i < length; i++)
                    exact[i] = bytes[i];
                LLVMFuzzerTestOneInput(exact, length);
                free(exact);
            }
            fclose(file);
        }
        if (files)
            closedir(files);
    }
    return 0;
}
