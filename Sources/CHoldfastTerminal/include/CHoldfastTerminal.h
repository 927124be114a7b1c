// Questions that Swift cannot put by itself without unsafe code: ioctl takes a varying number of
// arguments, and the action of a signal is a pointer. By value in and out.
#ifndef CHOLDFAST_TERMINAL_H
#define CHOLDFAST_TERMINAL_H

/// The columns of the terminal behind the descriptor; 0 when there is none or it does not know.
int holdfast_terminal_columns(int descriptor);

/// 1 when the process ignores the signal, 0 when it does not.
int holdfast_signal_is_ignored(int signal);

/// A program that was started: its process, and our ends of its standard streams, which do not
/// block. A descriptor that was closed is -1.
struct holdfast_child {
  int process;
  int input;
  int output;
  int errors;
};

/// Starts a line of the shell in a process group of its own, with the default actions of signals,
/// in the directory, with the environment (NAME=VALUE, closed by a null). Answers 0 or the error
/// number.
int holdfast_child_start(
    const char *line, const char *directory, const char *const *environment,
    struct holdfast_child *child);
/// Waits until a stream can be moved on, at most so many milliseconds. Bits: 1 the input takes
/// bytes, 2 the output has some or has ended, 4 the errors do.
int holdfast_child_wait(struct holdfast_child child, int milliseconds);
/// Whether the process has ended; it is kept until it is reaped, so that its group's number stays
/// its own.
int holdfast_child_has_ended(int process);
/// Ends everything in its group at once.
void holdfast_child_kill(int process);
/// Takes the ended process away; answers the status that the wait macros read.
int holdfast_child_reap(int process);
/// The signal that ended a process of this status; 0 for none.
int holdfast_child_signal(int status);
/// The exit code of a process of this status.
int holdfast_child_code(int status);

#endif
