// OpenSSL 3 behind the few calls that HoldfastPlatform makes of it. Every call answers 1 for
// success and 0 for failure unless it says otherwise. Linux only: Apple platforms use CryptoKit.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// SHA-256 of the bytes, into 32 bytes.
int hf_sha256(const void *_Nullable bytes, size_t count, uint8_t *_Nonnull digest);

/// A SHA-256 under way.
typedef struct hf_sha256_state hf_sha256_state;
/// Begins one; NULL when memory is out. Ended by hf_sha256_free.
hf_sha256_state *_Nullable hf_sha256_begin(void);
/// Takes the next bytes.
int hf_sha256_update(hf_sha256_state *_Nonnull state, const void *_Nullable bytes, size_t count);
/// The digest of everything taken, into 32 bytes; the state takes nothing afterwards.
int hf_sha256_finish(hf_sha256_state *_Nonnull state, uint8_t *_Nonnull digest);
void hf_sha256_free(hf_sha256_state *_Nullable state);

/// HMAC-SHA256 (RFC 2104), into 32 bytes.
int hf_hmac_sha256(
    const void *_Nullable key, size_t key_count, const void *_Nullable bytes, size_t count,
    uint8_t *_Nonnull code);

/// HKDF-SHA256 (RFC 5869), extract and expand, into `count` bytes.
int hf_hkdf_sha256(
    const void *_Nullable key, size_t key_count, const void *_Nullable salt, size_t salt_count,
    const void *_Nullable info, size_t info_count, uint8_t *_Nonnull output, size_t count);

/// AES-256-GCM with a key of 32 bytes and a nonce of 12: ciphertext, then 16 bytes of tag, into
/// `output`, which has room for `count` + 16.
int hf_aes256gcm_seal(
    const void *_Nonnull key, const void *_Nonnull nonce, const void *_Nullable associated,
    size_t associated_count, const void *_Nullable plain, size_t count, uint8_t *_Nonnull output);
/// The reverse, of `count` bytes that end with the tag, into `count` - 16: 1 when the tag is right,
/// 0 when it is not, -1 when OpenSSL failed. `output` is of no meaning unless the answer is 1.
int hf_aes256gcm_open(
    const void *_Nonnull key, const void *_Nonnull nonce, const void *_Nullable associated,
    size_t associated_count, const void *_Nonnull sealed, size_t count,
    uint8_t *_Nullable output);

/// Whether the bytes are equal, in a time that depends on `count` alone.
bool hf_equal_constant_time(
    const void *_Nullable left, const void *_Nullable right, size_t count);
