// SHA-256, HMAC and HKDF by OpenSSL's EVP interface. Algorithms are fetched once for the process:
// a fetch for each call costs more than hashing a kilobyte.
#include "CHoldfastCrypto.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <pthread.h>

static EVP_MD *sha256;
static EVP_MAC *hmac;
static EVP_KDF *hkdf;
static pthread_once_t fetch_once = PTHREAD_ONCE_INIT;

static void fetch_all(void) {
  sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
  hmac = EVP_MAC_fetch(NULL, "HMAC", NULL);
  hkdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
}

static EVP_MD_CTX *begin(void) {
  pthread_once(&fetch_once, fetch_all);
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  if (context != NULL && sha256 != NULL && EVP_DigestInit_ex2(context, sha256, NULL) == 1) {
    return context;
  }
  EVP_MD_CTX_free(context);
  return NULL;
}

int hf_sha256(const void *bytes, size_t count, uint8_t *digest) {
  EVP_MD_CTX *context = begin();
  int done = context != NULL && EVP_DigestUpdate(context, bytes, count) == 1 &&
             EVP_DigestFinal_ex(context, digest, NULL) == 1;
  EVP_MD_CTX_free(context);
  return done;
}

hf_sha256_state *hf_sha256_begin(void) { return (hf_sha256_state *)begin(); }

int hf_sha256_update(hf_sha256_state *state, const void *bytes, size_t count) {
  return EVP_DigestUpdate((EVP_MD_CTX *)state, bytes, count) == 1;
}

int hf_sha256_finish(hf_sha256_state *state, uint8_t *digest) {
  return EVP_DigestFinal_ex((EVP_MD_CTX *)state, digest, NULL) == 1;
}

void hf_sha256_free(hf_sha256_state *state) { EVP_MD_CTX_free((EVP_MD_CTX *)state); }

// What has no bytes may come without an address, which OpenSSL takes for "not given".
static void *there(const void *bytes) {
  static char nothing;
  return bytes == NULL ? &nothing : (void *)bytes;
}

static OSSL_PARAM octets(const char *name, const void *bytes, size_t count) {
  return OSSL_PARAM_construct_octet_string(name, there(bytes), count);
}

static OSSL_PARAM digest_name(const char *name) {
  static char value[] = "SHA256";
  return OSSL_PARAM_construct_utf8_string(name, value, 0);
}

int hf_hmac_sha256(
    const void *key, size_t key_count, const void *bytes, size_t count, uint8_t *code) {
  pthread_once(&fetch_once, fetch_all);
  EVP_MAC_CTX *context = hmac == NULL ? NULL : EVP_MAC_CTX_new(hmac);
  const OSSL_PARAM settings[] = {
      digest_name(OSSL_MAC_PARAM_DIGEST), OSSL_PARAM_construct_end()};
  size_t written = 0;
  int done = context != NULL && EVP_MAC_init(context, there(key), key_count, settings) == 1 &&
             EVP_MAC_update(context, bytes, count) == 1 &&
             EVP_MAC_final(context, code, &written, 32) == 1 && written == 32;
  EVP_MAC_CTX_free(context);
  return done;
}

int hf_hkdf_sha256(
    const void *key, size_t key_count, const void *salt, size_t salt_count, const void *info,
    size_t info_count, uint8_t *output, size_t count) {
  pthread_once(&fetch_once, fetch_all);
  EVP_KDF_CTX *context = hkdf == NULL ? NULL : EVP_KDF_CTX_new(hkdf);
  const OSSL_PARAM settings[] = {
      digest_name(OSSL_KDF_PARAM_DIGEST),
      octets(OSSL_KDF_PARAM_KEY, key, key_count),
      octets(OSSL_KDF_PARAM_SALT, salt, salt_count),
      octets(OSSL_KDF_PARAM_INFO, info, info_count),
      OSSL_PARAM_construct_end()};
  int done = context != NULL && EVP_KDF_derive(context, output, count, settings) == 1;
  EVP_KDF_CTX_free(context);
  return done;
}

bool hf_equal_constant_time(const void *left, const void *right, size_t count) {
  return count == 0 || CRYPTO_memcmp(left, right, count) == 0;
}
