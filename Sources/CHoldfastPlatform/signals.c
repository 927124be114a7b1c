// Signals become bytes in one pipe of the process. The handler does what a handler may: read two
// words, ask for the process id, write one byte.
//
// The pipe is made once and never closed: a handler that is under way on another thread could
// otherwise write its byte into whatever file was given the same descriptor.
#include "CHoldfastPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int pipe_ends[2] = {-1, -1};
static int pipe_error = 0;
static pid_t pipe_owner = 0;
static pthread_once_t pipe_once = PTHREAD_ONCE_INIT;
static struct sigaction earlier[64];

static int set_flags(int descriptor) {
  if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0) return errno;
  return 0;
}

// The write end does not block: signals that find 64 KiB of unread ones merge, as signals do.
static void make_pipe(void) {
#ifdef __linux__
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) pipe_error = errno;
#else
  if (pipe(pipe_ends) != 0) pipe_error = errno;
#endif
  if (pipe_error == 0) pipe_error = set_flags(pipe_ends[0]);
  if (pipe_error == 0) pipe_error = set_flags(pipe_ends[1]);
  if (pipe_error == 0 && fcntl(pipe_ends[1], F_SETFL, O_NONBLOCK) != 0) pipe_error = errno;
  pipe_owner = getpid();
}

int hf_signal_pipe(int *descriptor) {
  pthread_once(&pipe_once, make_pipe);
  *descriptor = pipe_ends[0];
  return pipe_error;
}

void hf_signal_pipe_write(uint8_t byte) {
  ssize_t written;
  do {
    written = write(pipe_ends[1], &byte, 1);
  } while (written < 0 && errno == EINTR);
}

// A child between fork and exec still has this handler and shares the pipe: its signals are not
// ours.
static void deliver(int number) {
  const int saved = errno;
  if (getpid() == pipe_owner) hf_signal_pipe_write((uint8_t)number);
  errno = saved;
}

int hf_signal_begin(int number) {
  struct sigaction action;
  if (number <= 0 || number >= 64) return EINVAL;
  memset(&action, 0, sizeof action);
  action.sa_handler = deliver;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  return sigaction(number, &action, &earlier[number]) == 0 ? 0 : errno;
}

int hf_signal_end(int number) {
  if (number <= 0 || number >= 64) return EINVAL;
  return sigaction(number, &earlier[number], NULL) == 0 ? 0 : errno;
}

static void pass_over(int number) { (void)number; }

// A handler, not SIG_IGN: programs that we start would inherit an ignored signal, while exec resets
// a handled one to its default.
int hf_survive_file_size_signal(void) {
  struct sigaction action, present;
  if (sigaction(SIGXFSZ, NULL, &present) != 0) return errno;
  if ((present.sa_flags & SA_SIGINFO) != 0 || present.sa_handler != SIG_DFL) return 0;
  memset(&action, 0, sizeof action);
  action.sa_handler = pass_over;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGXFSZ, &action, NULL) == 0 ? 0 : errno;
}
