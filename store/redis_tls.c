/* TLS to Redis, where the system's hiredis has it (hiredis_ssl, from hiredis 1.0 on). hiredis
 * encrypts and decrypts; whom to trust is settled here, with OpenSSL itself, since hiredis checks
 * that a certificate is genuine but not whose it is. */
#define _DEFAULT_SOURCE
#include "store/redis.h"

#ifdef OYSTER_REDIS_TLS

#include <errno.h>
#include <hiredis/hiredis_ssl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string.h>

bool redis_has_tls(void) {
    return true;
}

void redis_tls_prepare(void) {
    ERR_clear_error();
}

/* What OpenSSL has to say; null: nothing. */
static const char *last_words(void) {
    unsigned long error = ERR_peek_last_error();
    return error != 0 ? ERR_reason_error_string(error) : NULL;
}

const char *redis_trouble(const redisContext *context) {
    const char *words = context->err == REDIS_ERR_IO ? last_words() : NULL;
    return words ? words : context->errstr;
}

/* ---- Whom to trust ---- */

static bool refuse_file(const char *what, const char *file, struct refusal *why) {
    const char *words = last_words();
    return refuse(why, "STORE_UNUSABLE", "%s cannot be used for TLS to Redis (%s): %s", file, what,
                  words ? words : "it cannot be read");
}

static bool read_files(SSL_CTX *settings, const struct redis_address *address,
                       struct refusal *why) {
    const char *authorities = address->authorities, *certificate = address->certificate;
    bool trusts = *authorities ? SSL_CTX_load_verify_file(settings, authorities) == 1
                               : SSL_CTX_set_default_verify_paths(settings) == 1;
    if (!trusts)
        return refuse_file("ca", *authorities ? authorities : "The system's authorities", why);
    if (*certificate && SSL_CTX_use_certificate_chain_file(settings, certificate) != 1)
        return refuse_file("cert", certificate, why);
    return !*certificate ||
           (SSL_CTX_use_PrivateKey_file(settings, address->key, SSL_FILETYPE_PEM) == 1 &&
            SSL_CTX_check_private_key(settings) == 1) ||
           refuse_file("key", address->key, why);
}

/* A number must stand in the certificate as a number. */
static bool expect_name(SSL *tls, const struct redis_address *address) {
    const char *name = *address->name ? address->name : address->host;
    return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(tls), name) == 1 ||
           (SSL_set1_host(tls, name) == 1 && SSL_set_tlsext_host_name(tls, name) == 1);
}

static SSL *prepare(const struct redis_address *address, struct refusal *why) {
    SSL_CTX *settings = SSL_CTX_new(TLS_client_method());
    SSL *tls = NULL;
    refuse(why, "UNAVAILABLE", "There is no memory for TLS to Redis");
    if (settings && SSL_CTX_set_min_proto_version(settings, TLS1_2_VERSION) == 1 &&
        read_files(settings, address, why)) {
        SSL_CTX_set_verify(settings, SSL_VERIFY_PEER, NULL);
        tls = SSL_new(settings);
        if (tls && !expect_name(tls, address)) {
            SSL_free(tls);
            tls = NULL;
        }
    }
    SSL_CTX_free(settings); /* the connection keeps it */
    return tls;
}

/* ---- Handshakes ---- */

static bool refuse_handshake(const SSL *tls, int error, struct refusal *why) {
    long verdict = SSL_get_verify_result(tls);
    const char *words = verdict != X509_V_OK ? X509_verify_cert_error_string(verdict)
                        : last_words()       ? last_words()
                        : error == EAGAIN    ? "no answer in time"
                        : error != 0         ? strerror(error)
                                             : "the connection was broken";
    return refuse(why, "UNAVAILABLE", "Redis cannot be reached with TLS: %s", words);
}

void *redis_tls_begin(redisContext *context, const struct redis_address *address,
                      struct refusal *why) {
    ERR_clear_error();
    SSL *tls = prepare(address, why);
    errno = 0;
    if (tls && redisInitiateSSL(context, tls) == REDIS_OK)
        return tls;
    if (tls)
        refuse_handshake(tls, errno, why);
    SSL_free(tls); /* it is the context's only if all went well */
    return NULL;
}

enum redis_tls_step redis_tls_go_on(void *tls, struct refusal *why) {
    ERR_clear_error();
    errno = 0;
    int code = SSL_do_handshake(tls), error = errno;
    if (code == 1)
        return REDIS_TLS_DONE;
    code = SSL_get_error(tls, code);
    if (code == SSL_ERROR_WANT_READ)
        return REDIS_TLS_READS;
    if (code == SSL_ERROR_WANT_WRITE)
        return REDIS_TLS_WRITES;
    refuse_handshake(tls, error, why);
    return REDIS_TLS_FAILED;
}

#else

bool redis_has_tls(void) {
    return false;
}

void redis_tls_prepare(void) {
}

const char *redis_trouble(const redisContext *context) {
    return context->errstr;
}

/* No address asks for it (redis_read_address). */
void *redis_tls_begin(redisContext *context, const struct redis_address *address,
                      struct refusal *why) {
    refuse(why, "STORE_UNUSABLE", "There is no TLS to Redis");
    return NULL;
}

enum redis_tls_step redis_tls_go_on(void *tls, struct refusal *why) {
    return REDIS_TLS_FAILED;
}

#endif
