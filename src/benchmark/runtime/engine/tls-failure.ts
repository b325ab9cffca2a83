import { BenchmarkError, type ErrorCode } from '../../../shared/errors.ts';
import { errnoOf } from '../../errno.ts';

/**
 * What OpenSSL and BoringSSL (Electron's) report, in capitals with underscores, as what it means. The names of the
 * checks are OpenSSL's (X509_V_ERR_…), the alerts those of RFC 8446 §6. A Docker engine that asks for client
 * certificates answers a missing or foreign one with `bad certificate` (seen: dockerd 20.10), newer ones with
 * `certificate required` and `unknown ca`.
 */
const MEANINGS: [RegExp, ErrorCode][] = [
  [/ALERT_\w*(CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)|CERTIFICATE_REQUIRED/, 'ENDPOINT_TLS_CLIENT'],
  [/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/, 'ENDPOINT_TLS_EXPIRED'],
  [/ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH/, 'ENDPOINT_TLS_NAME'],
  [
    /UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF)|SELF_SIGNED_CERT|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE|INVALID_CA/,
    'ENDPOINT_TLS_UNTRUSTED',
  ],
  [/WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG/, 'ENDPOINT_TLS_MISSING'],
  [/ERR_OSSL_|PEM_|KEY_VALUES_MISMATCH|ERR_SSL_|SSL_ROUTINES/, 'ENDPOINT_TLS_FAILED'],
];

/** Node's words for a connection that ended before the handshake was done; after it they are others. */
const BEFORE_HANDSHAKE = /before secure TLS connection was established/;

/** Why TLS came to nothing, or undefined when `error` is not about TLS. */
export function tlsFailure(error: unknown, endpoint: string): BenchmarkError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = errnoOf(error) ?? '';
  const text = `${code} ${error.message}`.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
  const meaning = MEANINGS.find(([pattern]) => pattern.test(text))?.[1];
  if (meaning !== undefined) return new BenchmarkError(meaning, { endpoint, reason: reasonOf(error) });
  // In TLS 1.3 the client is done before the server has looked at its certificate: a server that then just hangs up
  // does so for that reason.
  if (/^(ECONNRESET|EPIPE)$/.test(code) && !BEFORE_HANDSHAKE.test(error.message)) {
    const reason = 'it hung up after the handshake';
    return new BenchmarkError('ENDPOINT_TLS_CLIENT', { endpoint, reason });
  }
  return undefined;
}

/** The telling part of OpenSSL's `number:error:code:library:function:reason:file:line:…`. */
function reasonOf(error: Error): string {
  const [, reason] = /error:[0-9a-f]{8}:[^:]*:[^:]*:([^:\n]+)/i.exec(error.message) ?? [];
  return (reason ?? error.message).trim();
}
