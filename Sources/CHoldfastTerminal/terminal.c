// Asks the terminal for its width: `ioctl` takes varying arguments, which Swift cannot pass.

#include "CHoldfastTerminal.h"

#include <sys/ioctl.h>

int holdfast_terminal_columns(int descriptor) {
  struct winsize size = {0};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
