// AES-256-GCM (NIST SP 800-38D) with a nonce of 96 bits and a tag of 128 bits.
#include "CHoldfastCrypto.h"

#include <limits.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <string.h>

enum { tag_bytes = 16 };

static EVP_CIPHER *aes256gcm;
static pthread_once_t fetch_once = PTHREAD_ONCE_INIT;

static void fetch(void) { aes256gcm = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL); }

// A context with key and nonce set and the associated data taken, or NULL.
static EVP_CIPHER_CTX *begin(
    int sealing, const void *key, const void *nonce, const void *associated,
    size_t associated_count) {
  pthread_once(&fetch_once, fetch);
  EVP_CIPHER_CTX *context = aes256gcm == NULL ? NULL : EVP_CIPHER_CTX_new();
  int taken = 0;
  if (context != NULL && EVP_CipherInit_ex2(context, aes256gcm, key, nonce, sealing, NULL) == 1 &&
      (associated_count == 0 ||
       EVP_CipherUpdate(context, NULL, &taken, associated, (int)associated_count) == 1)) {
    return context;
  }
  EVP_CIPHER_CTX_free(context);
  return NULL;
}

// EVP counts in int.
static int too_long(size_t count, size_t associated_count) {
  return count > INT_MAX || associated_count > INT_MAX;
}

int hf_aes256gcm_seal(
    const void *key, const void *nonce, const void *associated, size_t associated_count,
    const void *plain, size_t count, uint8_t *output) {
  if (too_long(count, associated_count)) return 0;
  EVP_CIPHER_CTX *context = begin(1, key, nonce, associated, associated_count);
  uint8_t none[tag_bytes];
  int moved = 0;
  int done = context != NULL &&
             (count == 0 || EVP_CipherUpdate(context, output, &moved, plain, (int)count) == 1) &&
             EVP_CipherFinal_ex(context, none, &moved) == 1 &&
             EVP_CIPHER_CTX_ctrl(
                 context, EVP_CTRL_AEAD_GET_TAG, tag_bytes, output + count) == 1;
  EVP_CIPHER_CTX_free(context);
  return done;
}

int hf_aes256gcm_open(
    const void *key, const void *nonce, const void *associated, size_t associated_count,
    const void *sealed, size_t count, uint8_t *output) {
  if (too_long(count, associated_count) || count < tag_bytes) return -1;
  const size_t plain_count = count - tag_bytes;
  uint8_t tag[tag_bytes], none[tag_bytes];
  memcpy(tag, (const uint8_t *)sealed + plain_count, tag_bytes);
  EVP_CIPHER_CTX *context = begin(0, key, nonce, associated, associated_count);
  int moved = 0;
  int answer = -1;
  if (context != NULL &&
      (plain_count == 0 ||
       EVP_CipherUpdate(context, output, &moved, sealed, (int)plain_count) == 1) &&
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, tag_bytes, tag) == 1) {
    answer = EVP_CipherFinal_ex(context, none, &moved) == 1 ? 1 : 0;
  }
  EVP_CIPHER_CTX_free(context);
  return answer;
}
