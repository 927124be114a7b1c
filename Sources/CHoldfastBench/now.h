// The clock of the floors.
#pragma once
#include <stdint.h>
#include <time.h>

/// Nanoseconds of a clock that nobody sets.
static inline int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
