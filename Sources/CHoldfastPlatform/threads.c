// Mutexes, condition variables and threads behind types of a fixed shape.
#include "CHoldfastPlatform.h"
#include "differences.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct hf_mutex {
  pthread_mutex_t mutex;
};

hf_mutex *hf_mutex_create(void) {
  hf_mutex *made = malloc(sizeof *made);
  pthread_mutexattr_t attributes;
  if (made == NULL) return NULL;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  int code = pthread_mutex_init(&made->mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  if (code == 0) return made;
  free(made);
  return NULL;
}

void hf_mutex_destroy(hf_mutex *mutex) {
  pthread_mutex_destroy(&mutex->mutex);
  free(mutex);
}

int hf_mutex_lock(hf_mutex *mutex) { return pthread_mutex_lock(&mutex->mutex); }

int hf_mutex_unlock(hf_mutex *mutex) { return pthread_mutex_unlock(&mutex->mutex); }

struct hf_condition {
  pthread_cond_t condition;
};

hf_condition *hf_condition_create(void) {
  hf_condition *made = malloc(sizeof *made);
  if (made == NULL) return NULL;
  if (hf_condition_init(&made->condition) == 0) return made;
  free(made);
  return NULL;
}

void hf_condition_destroy(hf_condition *condition) {
  pthread_cond_destroy(&condition->condition);
  free(condition);
}

void hf_condition_wait(hf_condition *condition, hf_mutex *mutex) {
  pthread_cond_wait(&condition->condition, &mutex->mutex);
}

void hf_condition_wait_for(hf_condition *condition, hf_mutex *mutex, uint64_t nanoseconds) {
  hf_condition_sleep(&condition->condition, &mutex->mutex, nanoseconds);
}

void hf_condition_wake_one(hf_condition *condition) { pthread_cond_signal(&condition->condition); }

void hf_condition_wake_all(hf_condition *condition) {
  pthread_cond_broadcast(&condition->condition);
}

struct start {
  void (*body)(void *);
  void *context;
  char name[64];
};

static void *run(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  hf_name_thread(start.name);
  start.body(start.context);
  return NULL;
}

// Two mebibytes: Apple gives other threads than the main one 512 KiB, which SQLite and a JSON
// decoder on top of one another come near.
enum { stack_bytes = 2 << 20 };

int hf_thread_start(const char *name, void (*body)(void *), void *context) {
  struct start *start = calloc(1, sizeof *start);
  pthread_attr_t attributes;
  pthread_t thread;
  if (start == NULL) return ENOMEM;
  start->body = body;
  start->context = context;
  strncpy(start->name, name, sizeof start->name - 1);
  int code = pthread_attr_init(&attributes);
  if (code == 0) {
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    code = pthread_create(&thread, &attributes, run, start);
    pthread_attr_destroy(&attributes);
  }
  if (code != 0) free(start);
  return code;
}

int64_t hf_wall_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int32_t hf_process_id(void) { return getpid(); }
