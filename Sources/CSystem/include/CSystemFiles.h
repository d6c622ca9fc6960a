/* CSystemFiles.h - files that are sent and received: descriptors and errnos.
 *
 * Functions that fail return an errno, or its negative if they return a count.  Interrupted system calls are repeated. */
#ifndef CSYSTEM_FILES_H
#define CSYSTEM_FILES_H

#include <stddef.h>
#include <stdint.h>

/* Opens a file for reading.  `*length` is -1 if it is not a regular file; EISDIR for a directory. */
int32_t csystem_open_reading(const char *_Nonnull path, int32_t *_Nonnull descriptor, int64_t *_Nonnull length);
/* Like csystem_open_reading, but does not wait for a writer of a file that is not regular. */
int32_t csystem_open_soon(const char *_Nonnull path, int32_t *_Nonnull descriptor, int64_t *_Nonnull length);
/* The length by the same rules; the file does not have to be readable. */
int32_t csystem_file_length(const char *_Nonnull path, int64_t *_Nonnull length);

/* The position in an open regular file, and the number of bytes after it.  EINVAL if it is not a regular file. */
int32_t csystem_rest(int32_t descriptor, int64_t *_Nonnull place, int64_t *_Nonnull length);

/* Opens a file for writing by this process only, and creates it if it does not exist; its content is kept.  EWOULDBLOCK if another
 * process has it locked, ELOOP for a symbolic link, EINVAL if it is not a regular file. */
int32_t csystem_open_writing(const char *_Nonnull path, int32_t *_Nonnull descriptor, int64_t *_Nonnull length);
/* Truncates the file to `length`, and sets the position to its end. */
int32_t csystem_continue_at(int32_t descriptor, int64_t length);
/* Waits until the written bytes are on the disk. */
int32_t csystem_sync(int32_t descriptor);

/* Returns the number of bytes that were read, 0 at the end, or a negative errno. */
int64_t csystem_read(int32_t descriptor, void *_Nonnull bytes, size_t count);
/* Reads at a position of a regular file; the position of the descriptor is not changed. */
int64_t csystem_read_at(int32_t descriptor, int64_t place, void *_Nonnull bytes, size_t count);
int32_t csystem_write_all(int32_t descriptor, const void *_Nonnull bytes, size_t count);
void csystem_close(int32_t descriptor);

/* Writes a whole file that only its owner may read; on failure, an existing file is not changed. */
int32_t csystem_write_private(const char *_Nonnull path, const void *_Nonnull bytes, size_t count);

int32_t csystem_rename(const char *_Nonnull from, const char *_Nonnull to);
/* Removes a file; returns 0 also if it does not exist. */
int32_t csystem_remove(const char *_Nonnull path);

/* Opens the folder of a document, or `folder`, which must contain the document: EXDEV otherwise.  `relative` receives the path of
 * the document below the folder. */
int32_t csystem_folder_open(
    const char *_Nonnull document, const char *_Nullable folder, char *_Nonnull relative, size_t capacity,
    int32_t *_Nonnull descriptor);
/* Reads a whole regular file below an open folder, like csystem_read_file.  EXDEV if the path, or a symbolic link on it, leaves the
 * folder; EINVAL for a device or a pipe. */
int32_t csystem_folder_read(
    int32_t folder, const char *_Nonnull relative, size_t limit, uint8_t *_Nullable *_Nonnull bytes, size_t *_Nonnull count);

/* Returns 0 if the process, or the system, has no descriptors left. */
int32_t csystem_descriptors_left(void);

#endif
