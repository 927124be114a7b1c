// Starting programs and watching them: what Foundation's Process cannot do here. It learns of an
// end by a socket that the program's own children inherit, so that a child left behind hides it;
// and it hands on the signals that we ignore.

#include "CHoldfastTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static void close_both(int ends[2]) {
  for (int end = 0; end < 2; end++) {
    if (ends[end] >= 0) close(ends[end]);
  }
}

/// A pipe whose ends no other program inherits; ours, by its index, does not block.
static int open_pipe(int ends[2], int ours) {
  if (pipe(ends) != 0) {
    ends[0] = ends[1] = -1;
    return errno;
  }
  if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) != 0 || fcntl(ends[1], F_SETFD, FD_CLOEXEC) != 0 ||
      fcntl(ends[ours], F_SETFL, O_NONBLOCK) != 0) {
    return errno;
  }
  return 0;
}

static int spawn(
    const char *line, const char *directory, const char *const *environment, int input, int output,
    int errors, int *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t defaults, none;
  sigemptyset(&none);
  sigemptyset(&defaults);
  const int ours[] = {SIGPIPE, SIGXFSZ, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
  for (size_t index = 0; index < sizeof ours / sizeof *ours; index++) {
    sigaddset(&defaults, ours[index]);
  }
  int code = posix_spawn_file_actions_init(&actions);
  if (code != 0) return code;
  code = posix_spawnattr_init(&attributes);
  if (code != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return code;
  }
  if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, input, 0);
  if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, output, 1);
  if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, errors, 2);
  if (code == 0) code = posix_spawn_file_actions_addchdir_np(&actions, directory);
  if (code == 0) code = posix_spawnattr_setpgroup(&attributes, 0);
  if (code == 0) code = posix_spawnattr_setsigdefault(&attributes, &defaults);
  if (code == 0) code = posix_spawnattr_setsigmask(&attributes, &none);
  if (code == 0) {
    code = posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  if (code == 0) {
    char *words[] = {"sh", "-c", (char *)line, NULL};
    pid_t started = 0;
    code = posix_spawn(
        &started, "/bin/sh", &actions, &attributes, words, (char *const *)environment);
    *process = (int)started;
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

int holdfast_child_start(
    const char *line, const char *directory, const char *const *environment,
    struct holdfast_child *child) {
  int input[2] = {-1, -1}, output[2] = {-1, -1}, errors[2] = {-1, -1};
  int code = open_pipe(input, 1);
  if (code == 0) code = open_pipe(output, 0);
  if (code == 0) code = open_pipe(errors, 0);
  if (code == 0) {
    code = spawn(line, directory, environment, input[0], output[1], errors[1], &child->process);
  }
  if (code != 0) {
    close_both(input);
    close_both(output);
    close_both(errors);
    return code;
  }
  close(input[0]);
  close(output[1]);
  close(errors[1]);
  child->input = input[1];
  child->output = output[0];
  child->errors = errors[0];
  return 0;
}

int holdfast_child_wait(struct holdfast_child child, int milliseconds) {
  struct pollfd streams[3] = {
      {.fd = child.input, .events = POLLOUT},
      {.fd = child.output, .events = POLLIN},
      {.fd = child.errors, .events = POLLIN},
  };
  int bits = 0;
  if (poll(streams, 3, milliseconds) <= 0) return 0;
  for (int index = 0; index < 3; index++) {
    if (streams[index].fd >= 0 && streams[index].revents != 0) bits |= 1 << index;
  }
  return bits;
}

int holdfast_child_has_ended(int process) {
  siginfo_t info = {0};
  const int flags = WEXITED | WNOHANG | WNOWAIT;
  return waitid(P_PID, (id_t)process, &info, flags) == 0 && info.si_pid == process;
}

void holdfast_child_kill(int process) { killpg(process, SIGKILL); }

int holdfast_child_reap(int process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

int holdfast_child_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }

int holdfast_child_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 0; }
