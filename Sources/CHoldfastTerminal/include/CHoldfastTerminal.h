// The one question to a terminal that Swift cannot put by itself: ioctl takes a varying number of
// arguments. By value in and out, so that the caller needs no unsafe code.
#ifndef CHOLDFAST_TERMINAL_H
#define CHOLDFAST_TERMINAL_H

/// The columns of the terminal behind the descriptor; 0 when there is none or it does not know.
int holdfast_terminal_columns(int descriptor);

#endif
