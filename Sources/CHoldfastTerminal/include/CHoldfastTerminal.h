// Questions that Swift cannot put by itself without unsafe code: ioctl takes a varying number of
// arguments, and the action of a signal is a pointer. By value in and out.
#ifndef CHOLDFAST_TERMINAL_H
#define CHOLDFAST_TERMINAL_H

/// The columns of the terminal behind the descriptor; 0 when there is none or it does not know.
int holdfast_terminal_columns(int descriptor);

/// 1 when the process ignores the signal, 0 when it does not.
int holdfast_signal_is_ignored(int signal);

#endif
