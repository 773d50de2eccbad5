/* A library that tests preload into scree. It lets the n-th system call on the files of a folder fail. Environment:

   - FAIL_ROOT: the folder, by its path without links; calls on files below it are counted
   - FAIL_AT: number of the call that fails, from 1; 0: no call fails, calls are only counted
   - FAIL_KIND: ENOSPC, EIO, EINTR: the error of the call; SHORT: a write takes half of its bytes; FULL: from this call
     on, every write and every call that makes a file or folder fails (ENOSPC); KILL: the process is killed before the
     call; KILL_AFTER: after the call; SLOW: this call and all later ones take 30 ms
   - FAIL_REPORT: file that gets the number of calls, the name of the failed call and its file
*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum Action { go_on, fail, half, kill_after };

static long calls;
static char failed[PATH_MAX + 100] = "none";
static char name_of[1024][PATH_MAX]; /* path of each watched descriptor */

static void* real(const char* name) {
  void* function = dlsym(RTLD_NEXT, name);
  if (function == NULL) { abort(); }
  return function;
}

static void report(void) {
  const char* file = getenv("FAIL_REPORT");
  if (file == NULL) { return; }
  int (*open_)(const char*, int, ...) = real("open");
  ssize_t (*write_)(int, const void*, size_t) = real("write");
  int (*close_)(int) = real("close");
  char text[PATH_MAX + 200];
  const int length = snprintf(text, sizeof text, "%ld\n%s\n", calls, failed);
  const int descriptor = open_(file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (write_(descriptor, text, (size_t)length) != length) { abort(); }
  close_(descriptor);
}

__attribute__((destructor)) static void at_end(void) { report(); }

/* Whether a path is below FAIL_ROOT. Relative paths start at the working folder. */
static int is_watched(const char* path) {
  const char* root = getenv("FAIL_ROOT");
  char full[PATH_MAX];
  if (root == NULL || path == NULL) { return 0; }
  if (path[0] != '/') {
    char folder[PATH_MAX];
    if (getcwd(folder, sizeof folder) == NULL ||
        snprintf(full, sizeof full, "%s/%s", folder, path) >= (int)sizeof full) {
      return 0;
    }
    path = full;
  }
  const size_t length = strlen(root);
  return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static enum Action next(const char* call, const char* path, int makes) {
  const char *at = getenv("FAIL_AT"), *kind = getenv("FAIL_KIND");
  const long number = at == NULL ? 0 : atol(at);
  ++calls;
  if (number == 0 || kind == NULL || calls < number) { return go_on; }
  if (strcmp(kind, "SLOW") == 0) {
    const struct timespec pause = {0, 30 * 1000 * 1000};
    nanosleep(&pause, NULL);
    return go_on;
  }
  const int full = strcmp(kind, "FULL") == 0;
  if (full ? !makes : calls != number) { return go_on; }
  if (strcmp(failed, "none") == 0) { snprintf(failed, sizeof failed, "%s %s", call, path); }
  if (strcmp(kind, "KILL_AFTER") == 0) { return kill_after; }
  if (strcmp(kind, "KILL") == 0) {
    report();
    kill(getpid(), SIGKILL);
  }
  if (strcmp(kind, "SHORT") == 0) { return strcmp(call, "write") == 0 ? half : go_on; }
  errno = strcmp(kind, "EIO") == 0 ? EIO : strcmp(kind, "EINTR") == 0 ? EINTR : ENOSPC;
  return fail;
}

static void end_if(enum Action action) {
  if (action != kill_after) { return; }
  report();
  kill(getpid(), SIGKILL);
}

static int watched_descriptor(int descriptor) {
  return descriptor >= 0 && descriptor < 1024 && name_of[descriptor][0] != '\0';
}

static int opened(int descriptor, const char* path) {
  if (descriptor >= 0 && descriptor < 1024) { snprintf(name_of[descriptor], PATH_MAX, "%s", path); }
  return descriptor;
}

#define OPEN(function)                                                          \
  int function(const char* path, int flags, ...) {                              \
    int (*call)(const char*, int, ...) = real(#function);                       \
    va_list arguments;                                                          \
    va_start(arguments, flags);                                                 \
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0; \
    va_end(arguments);                                                          \
    if (!is_watched(path)) { return call(path, flags, mode); }                  \
    const enum Action action = next("open", path, (flags & O_CREAT) != 0);      \
    if (action == fail) { return -1; }                                          \
    const int descriptor = opened(call(path, flags, mode), path);               \
    end_if(action);                                                             \
    return descriptor;                                                          \
  }
OPEN(open)
OPEN(open64)

#define WRITE(function)                                                                           \
  ssize_t function(int descriptor, const void* bytes, size_t size) {                              \
    ssize_t (*call)(int, const void*, size_t) = real(#function);                                  \
    if (!watched_descriptor(descriptor)) { return call(descriptor, bytes, size); }                \
    const enum Action action = next("write", name_of[descriptor], 1);                             \
    if (action == fail) { return -1; }                                                            \
    const ssize_t result = call(descriptor, bytes, action == half && size > 1 ? size / 2 : size); \
    end_if(action);                                                                               \
    return result;                                                                                \
  }
WRITE(write)

#define PWRITE(function, offset_type)                                                                     \
  ssize_t function(int descriptor, const void* bytes, size_t size, offset_type offset) {                  \
    ssize_t (*call)(int, const void*, size_t, offset_type) = real(#function);                             \
    if (!watched_descriptor(descriptor)) { return call(descriptor, bytes, size, offset); }                \
    const enum Action action = next("write", name_of[descriptor], 1);                                     \
    if (action == fail) { return -1; }                                                                    \
    const ssize_t result = call(descriptor, bytes, action == half && size > 1 ? size / 2 : size, offset); \
    end_if(action);                                                                                       \
    return result;                                                                                        \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define ON_DESCRIPTOR(function, parameters, values, makes)                  \
  int function parameters {                                                 \
    int(*call) parameters = real(#function);                                \
    if (!watched_descriptor(descriptor)) { return call values; }            \
    const enum Action action = next(#function, name_of[descriptor], makes); \
    if (action == fail) { return -1; }                                      \
    const int result = call values;                                         \
    end_if(action);                                                         \
    return result;                                                          \
  }
ON_DESCRIPTOR(fsync, (int descriptor), (descriptor), 0)
ON_DESCRIPTOR(fdatasync, (int descriptor), (descriptor), 0)
ON_DESCRIPTOR(ftruncate, (int descriptor, off_t size), (descriptor, size), 0)
ON_DESCRIPTOR(ftruncate64, (int descriptor, off64_t size), (descriptor, size), 0)
ON_DESCRIPTOR(flock, (int descriptor, int operation), (descriptor, operation), 0)
ON_DESCRIPTOR(fchmod, (int descriptor, mode_t mode), (descriptor, mode), 0)

/* close() frees the descriptor even if it reports an error. */
int close(int descriptor) {
  int (*call)(int) = real("close");
  if (!watched_descriptor(descriptor)) { return call(descriptor); }
  const enum Action action = next("close", name_of[descriptor], 0);
  name_of[descriptor][0] = '\0';
  const int error = errno;
  const int result = call(descriptor);
  end_if(action);
  if (action == fail) { errno = error; }
  return action == fail ? -1 : result;
}

#define ON_PATH(function, parameters, values, makes)         \
  int function parameters {                                  \
    int(*call) parameters = real(#function);                 \
    if (!is_watched(path)) { return call values; }           \
    const enum Action action = next(#function, path, makes); \
    if (action == fail) { return -1; }                       \
    const int result = call values;                          \
    end_if(action);                                          \
    return result;                                           \
  }
ON_PATH(rename, (const char* path, const char* to), (path, to), 0)
ON_PATH(unlink, (const char* path), (path), 0)
ON_PATH(remove, (const char* path), (path), 0)
ON_PATH(rmdir, (const char* path), (path), 0)
ON_PATH(mkdir, (const char* path, mode_t mode), (path, mode), 1)
