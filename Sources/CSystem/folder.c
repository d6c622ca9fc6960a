/* folder.c - files below a folder; paths and symbolic links that leave it are refused. */
#define _GNU_SOURCE
#include "CSystemFiles.h"
#include "CSystem.h"
#include "CSystemMemory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Linux 5.6; declared here because the headers of older systems do not declare it. */
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
struct how {
    uint64_t flags, mode, resolve;
};
enum { BENEATH = 0x08, NO_MAGIC_LINKS = 0x02 };

static int32_t real(const char *path, char *out)
{
    return realpath(path, out) ? 0 : errno;
}

/* The part of `path` below `folder`; NULL if it is not below it. */
static const char *below(const char *folder, const char *path)
{
    const size_t length = strlen(folder);
    if (strncmp(folder, path, length) != 0)
        return NULL;
    if (length > 0 && folder[length - 1] == '/') /* the root */
        return path + length;
    return path[length] == '/' ? path + length + 1 : NULL;
}

int32_t csystem_folder_open(const char *document, const char *folder, char *relative, size_t capacity, int32_t *descriptor)
{
    char real_document[PATH_MAX], real_folder[PATH_MAX];
    const char *rest, *slash = strrchr(document, '/');
    int32_t result = real(document, real_document);
    int opened;
    if (result == 0 && folder) {
        result = real(folder, real_folder);
    } else if (result == 0 && slash) {
        /* The folder of the name as given is opened: the document itself may be a symbolic link. */
        char name[PATH_MAX];
        const size_t length = slash == document ? 1 : (size_t)(slash - document);
        if (length >= sizeof name)
            return ENAMETOOLONG;
        memcpy(name, document, length);
        name[length] = 0;
        result = real(name, real_folder);
    } else if (result == 0) {
        result = real(".", real_folder);
    }
    if (result != 0)
        return result;
    if (folder) {
        rest = below(real_folder, real_document);
        if (!rest)
            return EXDEV;
    } else {
        rest = slash ? slash + 1 : document;
    }
    if (strlen(rest) >= capacity)
        return ENAMETOOLONG;
    memcpy(relative, rest, strlen(rest) + 1);
    opened = open(real_folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0)
        return errno;
    *descriptor = opened;
    return 0;
}

/* Used without openat2: checks the real path, and opens it without following a symbolic link at its end. */
static int open_compared(int folder, const char *relative)
{
    char name[64], joined[2 * PATH_MAX], real_folder[PATH_MAX], real_file[PATH_MAX];
    ssize_t length;
    snprintf(name, sizeof name, "/proc/self/fd/%d", folder);
    length = readlink(name, real_folder, sizeof real_folder - 1);
    if (length < 0)
        return -1;
    real_folder[length] = 0;
    if (snprintf(joined, sizeof joined, "%s/%s", real_folder, relative) >= (int)sizeof joined) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (!realpath(joined, real_file))
        return -1;
    if (!below(real_folder, real_file)) {
        errno = EXDEV;
        return -1;
    }
    return open(real_file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

int32_t csystem_folder_read(int32_t folder, const char *relative, size_t limit, uint8_t **bytes, size_t *count)
{
    const struct how how = { O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0, BENEATH | NO_MAGIC_LINKS };
    struct stat status;
    int32_t result;
    int file = (int)syscall(SYS_openat2, folder, relative, &how, sizeof how);
    if (file < 0 && (errno == ENOSYS || errno == EPERM || errno == EINVAL))
        file = open_compared(folder, relative);
    if (file < 0)
        return errno == ELOOP ? EXDEV : errno;
    if (fstat(file, &status) != 0)
        result = errno;
    else if (S_ISDIR(status.st_mode))
        result = EISDIR;
    else
        result = S_ISREG(status.st_mode) ? csystem_read_descriptor(file, limit, bytes, count) : EINVAL;
    close(file);
    return result;
}
