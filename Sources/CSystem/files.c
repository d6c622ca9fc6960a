/* files.c - files that are sent and received. */
#define _GNU_SOURCE
#include "CSystemFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int32_t length_of(const struct stat *status, int64_t *length)
{
    if (S_ISDIR(status->st_mode))
        return EISDIR;
    *length = S_ISREG(status->st_mode) ? (int64_t)status->st_size : -1;
    return 0;
}

static int32_t open_with(const char *path, int flags, int32_t *descriptor, int64_t *length)
{
    struct stat status;
    int32_t result;
    const int file = open(path, O_RDONLY | O_CLOEXEC | flags);
    if (file < 0)
        return errno;
    result = fstat(file, &status) != 0 ? errno : length_of(&status, length);
    if (result != 0)
        close(file);
    else
        *descriptor = file;
    return result;
}

int32_t csystem_open_reading(const char *path, int32_t *descriptor, int64_t *length)
{
    return open_with(path, 0, descriptor, length);
}

int32_t csystem_open_soon(const char *path, int32_t *descriptor, int64_t *length)
{
    return open_with(path, O_NONBLOCK, descriptor, length);
}

int32_t csystem_file_length(const char *path, int64_t *length)
{
    struct stat status;
    return stat(path, &status) != 0 ? errno : length_of(&status, length);
}

int32_t csystem_rest(int32_t descriptor, int64_t *place, int64_t *length)
{
    struct stat status;
    off_t position;
    if (fstat(descriptor, &status) != 0)
        return errno;
    if (!S_ISREG(status.st_mode))
        return EINVAL;
    position = lseek(descriptor, 0, SEEK_CUR);
    if (position < 0)
        return errno;
    *place = (int64_t)position;
    *length = status.st_size > position ? (int64_t)(status.st_size - position) : 0;
    return 0;
}

int32_t csystem_open_writing(const char *path, int32_t *descriptor, int64_t *length)
{
    struct stat status, named;
    int32_t result = 0;
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (file < 0)
        return errno;
    if (flock(file, LOCK_EX | LOCK_NB) != 0 || fstat(file, &status) != 0)
        result = errno;
    else if (!S_ISREG(status.st_mode))
        result = EINVAL;
    /* The process that held the lock may have renamed the file after it was opened here. */
    else if (lstat(path, &named) != 0 || named.st_ino != status.st_ino || named.st_dev != status.st_dev)
        result = EWOULDBLOCK;
    if (result != 0) {
        close(file);
        return result;
    }
    *descriptor = file;
    *length = (int64_t)status.st_size;
    return 0;
}

int32_t csystem_continue_at(int32_t descriptor, int64_t length)
{
    if (ftruncate(descriptor, (off_t)length) != 0 || lseek(descriptor, (off_t)length, SEEK_SET) < 0)
        return errno;
    return 0;
}

int32_t csystem_sync(int32_t descriptor)
{
    while (fdatasync(descriptor) != 0)
        if (errno != EINTR)
            return errno;
    return 0;
}

int64_t csystem_read(int32_t descriptor, void *bytes, size_t count)
{
    for (;;) {
        const ssize_t got = read(descriptor, bytes, count);
        if (got >= 0)
            return (int64_t)got;
        if (errno != EINTR)
            return -(int64_t)errno;
    }
}

int64_t csystem_read_at(int32_t descriptor, int64_t place, void *bytes, size_t count)
{
    for (;;) {
        const ssize_t got = pread(descriptor, bytes, count, (off_t)place);
        if (got >= 0)
            return (int64_t)got;
        if (errno != EINTR)
            return -(int64_t)errno;
    }
}

int32_t csystem_write_all(int32_t descriptor, const void *bytes, size_t count)
{
    const struct timespec at_once = { 0, 0 };
    const char *next = bytes;
    sigset_t pending, pipe, before;
    int32_t result = 0;
    int is_host = 1;
    /* A write to a pipe without a reader raises SIGPIPE, which would end the program.  A SIGPIPE that is already pending belongs to
     * the program. */
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    if (sigpending(&pending) == 0 && !sigismember(&pending, SIGPIPE))
        is_host = pthread_sigmask(SIG_BLOCK, &pipe, &before) != 0;
    while (count > 0) {
        const ssize_t put = write(descriptor, next, count);
        if (put < 0 && errno != EINTR) {
            result = errno;
            break;
        }
        if (put > 0) {
            next += put;
            count -= (size_t)put;
        }
    }
    if (!is_host) {
        if (result == EPIPE)
            while (sigtimedwait(&pipe, NULL, &at_once) < 0 && errno == EINTR) {
            }
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    return result;
}

int32_t csystem_descriptors_left(void)
{
    const int probe = eventfd(0, EFD_CLOEXEC);
    if (probe < 0)
        return errno != EMFILE && errno != ENFILE;
    close(probe);
    return 1;
}

void csystem_close(int32_t descriptor) { close(descriptor); }

int32_t csystem_write_private(const char *path, const void *bytes, size_t count)
{
    char part[4096];
    int32_t result;
    int file;
    if (snprintf(part, sizeof part, "%s.part-%ld", path, (long)getpid()) >= (int)sizeof part)
        return ENAMETOOLONG;
    file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        return errno;
    result = csystem_write_all(file, bytes, count);
    if (result == 0)
        result = csystem_sync(file);
    close(file);
    if (result == 0)
        result = csystem_rename(part, path);
    if (result != 0)
        unlink(part);
    return result;
}

int32_t csystem_rename(const char *from, const char *to) { return rename(from, to) != 0 ? errno : 0; }

int32_t csystem_remove(const char *path) { return unlink(path) != 0 && errno != ENOENT ? errno : 0; }
