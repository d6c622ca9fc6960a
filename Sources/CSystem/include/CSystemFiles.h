/* CSystemFiles.h - files that are sent and received: descriptors and errno in place of exceptions.
 *
 * What fails returns an errno, or its negative where a count is returned.  A signal that interrupts is no failure. */
#ifndef CSYSTEM_FILES_H
#define CSYSTEM_FILES_H

#include <stddef.h>
#include <stdint.h>

/* Opens for reading.  `*length` is -1 for what is no regular file; EISDIR for a directory. */
int32_t csystem_open_reading(const char *_Nonnull path, int32_t *_Nonnull descriptor, int64_t *_Nonnull length);
/* The same; does not wait until another process writes to what is no regular file. */
int32_t csystem_open_soon(const char *_Nonnull path, int32_t *_Nonnull descriptor, int64_t *_Nonnull length);
/* The length alone, by the same rules; it need not be readable. */
int32_t csystem_file_length(const char *_Nonnull path, int64_t *_Nonnull length);

/* The position in an open regular file, and the number of bytes after it.  EINVAL for what is no regular file. */
int32_t csystem_rest(int32_t descriptor, int64_t *_Nonnull place, int64_t *_Nonnull length);

/* Opens a file to write for this process alone, and makes it if it is not there; what stands in it stays.  EWOULDBLOCK when
 * another one holds it, ELOOP for a symbolic link, EINVAL for what is no regular file. */
int32_t csystem_open_writing(const char *_Nonnull path, int32_t *_Nonnull descriptor, int64_t *_Nonnull length);
/* Cuts the file there and writes on from there. */
int32_t csystem_continue_at(int32_t descriptor, int64_t length);
/* Waits until what was written is on the disk. */
int32_t csystem_sync(int32_t descriptor);

/* How many bytes were read, 0 at the end, or a negative errno. */
int64_t csystem_read(int32_t descriptor, void *_Nonnull bytes, size_t count);
/* The same at a place of a regular file, whose position stays. */
int64_t csystem_read_at(int32_t descriptor, int64_t place, void *_Nonnull bytes, size_t count);
int32_t csystem_write_all(int32_t descriptor, const void *_Nonnull bytes, size_t count);
void csystem_close(int32_t descriptor);

/* Writes a whole file that only its owner may read, or leaves what is there. */
int32_t csystem_write_private(const char *_Nonnull path, const void *_Nonnull bytes, size_t count);

int32_t csystem_rename(const char *_Nonnull from, const char *_Nonnull to);
/* That it is not there is no failure. */
int32_t csystem_remove(const char *_Nonnull path);

/* Opens the folder of a document, or `folder`, which must have the document in it: EXDEV otherwise.  `relative` receives the path
 * of the document below the folder. */
int32_t csystem_folder_open(
    const char *_Nonnull document, const char *_Nullable folder, char *_Nonnull relative, size_t capacity,
    int32_t *_Nonnull descriptor);
/* Reads a whole regular file below an open folder, as csystem_read_file does.  EXDEV if the path, or a symbolic link on it, leaves
 * the folder; EINVAL for a device or a pipe. */
int32_t csystem_folder_read(
    int32_t folder, const char *_Nonnull relative, size_t limit, uint8_t *_Nullable *_Nonnull bytes, size_t *_Nonnull count);

/* 0 when the process, or the system, has no descriptor left. */
int32_t csystem_descriptors_left(void);

#endif
