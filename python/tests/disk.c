/* What a program does to the files below one folder: written down, and interrupted at a chosen step. Loaded by LD_PRELOAD.
 *
 * DISK_FOLDER   steps on other files do not count
 * DISK_LOG      gets one line a step: number, operation, path, second path
 * DISK_KILL_AT  the process is killed by SIGKILL before this step
 * DISK_FULL_AT  this step, if it writes, and all writes after it fail: the disk is full
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_long steps;

static int is_ours(const char *path) {
    const char *folder = getenv("DISK_FOLDER");
    return folder && path && strncmp(path, folder, strlen(folder)) == 0;
}

static const char *path_of(int fd, char path[PATH_MAX]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = 0;
    return path;
}

/* Counts a step; 1 if it is to fail for want of room. */
static int step(const char *operation, const char *path, const char *other) {
    long number = atomic_fetch_add(&steps, 1);
    const char *kill_at = getenv("DISK_KILL_AT"), *full_at = getenv("DISK_FULL_AT"), *log = getenv("DISK_LOG");
    if (kill_at && number == atol(kill_at))
        kill(getpid(), SIGKILL);
    if (log) {
        char line[2 * PATH_MAX + 64];
        int length = snprintf(line, sizeof line, "%ld\t%s\t%s\t%s\n", number, operation, path, other);
        int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
        ssize_t (*real_write)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
        int fd = real_open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
        if (fd >= 0) {
            if (real_write(fd, line, (size_t)length) < 0)
                abort();
            close(fd);
        }
    }
    return full_at && number >= atol(full_at) && strcmp(operation, "write") == 0;
}

#define OPEN(NAME)                                                                   \
    int NAME(const char *path, int flags, ...) {                                     \
        va_list rest;                                                                \
        va_start(rest, flags);                                                       \
        int mode = flags & O_CREAT ? va_arg(rest, int) : 0;                          \
        va_end(rest);                                                                \
        int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #NAME);               \
        if ((flags & O_CREAT) && is_ours(path))                                      \
            step("create", path, "");                                                \
        return real(path, flags, mode);                                              \
    }
OPEN(open)
OPEN(open64)

ssize_t write(int fd, const void *bytes, size_t count) {
    ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    char path[PATH_MAX];
    if (fd > 2 && is_ours(path_of(fd, path)) && step("write", path, "")) {
        errno = ENOSPC;
        return -1;
    }
    return real(fd, bytes, count);
}

int fsync(int fd) {
    int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
    char path[PATH_MAX];
    if (is_ours(path_of(fd, path)))
        step("sync", path, "");
    return real(fd);
}

int rename(const char *from, const char *to) {
    int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
    if (is_ours(from))
        step("rename", from, to);
    return real(from, to);
}

int unlink(const char *path) {
    int (*real)(const char *) = dlsym(RTLD_NEXT, "unlink");
    if (is_ours(path))
        step("remove", path, "");
    return real(path);
}
