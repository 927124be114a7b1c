// C11 atomic operations on plain words. Real functions, not inline ones, so that ThreadSanitizer
// sees them under Swift.
#include "CHoldfastPlatform.h"

_Static_assert(__atomic_always_lock_free(sizeof(uint64_t), 0), "64-bit atomics must be lock-free");

uint64_t hf_load_acquire(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }

void hf_store_release(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

uint64_t hf_load_ordered(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }

uint64_t hf_exchange_ordered(uint64_t *word, uint64_t value) {
  return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
}

uint64_t hf_add_ordered(uint64_t *word, uint64_t value) {
  return __atomic_fetch_add(word, value, __ATOMIC_SEQ_CST);
}
