// Questions to the terminal and about its signals.

#include "CHoldfastTerminal.h"

#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>

int holdfast_terminal_columns(int descriptor) {
  struct winsize size = {0};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int holdfast_signal_is_ignored(int signal) {
  struct sigaction action;
  return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}
