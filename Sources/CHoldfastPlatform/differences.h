// What threads.c needs from linux.c or apple.c.
#pragma once

#include <pthread.h>
#include <stdint.h>

/// Makes a condition variable that measures by a clock that nobody sets.
int hf_condition_init(pthread_cond_t *condition);
/// Sleeps until woken, for `nanoseconds` at most.
void hf_condition_sleep(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t nanoseconds);
/// Names the calling thread; what does not fit is cut off.
void hf_name_thread(const char *name);
