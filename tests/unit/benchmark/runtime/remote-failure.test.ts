import { describe, expect, it } from 'vitest';
import { parseEndpoint } from '../../../../src/benchmark/runtime/engine/endpoints.ts';
import { BadAnswer, probeFailure } from '../../../../src/benchmark/runtime/discovery/probe.ts';
import { SshFailure } from '../../../../src/benchmark/runtime/ssh/ssh-connection.ts';

const SSH = 'ssh://ada@far.example:2222';
const TCP = 'tcp://far.example:2376';

function ofSsh(exitCode: number | null | 'missing', ...words: string[]) {
  const failure = new SshFailure('ssh ended', exitCode, words);
  return probeFailure(failure, SSH, parseEndpoint(SSH, 'linux'), 5);
}

describe('what ssh said', () => {
  it.each([
    ['missing', '', 'SSH_MISSING'],
    [255, 'ada@far.example: Permission denied (publickey).', 'ENDPOINT_SSH'],
    [null, '', 'ENDPOINT_SSH'],
    [127, 'sh: 1: docker: not found', 'ENDPOINT_SSH_DOCKER'],
    [127, 'zsh:1: command not found: docker', 'ENDPOINT_SSH_DOCKER'],
    [1, "'docker' is not recognized as an internal or external command,", 'ENDPOINT_SSH_DOCKER'],
    [1, "docker: 'system dial-stdio' is not a docker command.", 'ENDPOINT_SSH_DOCKER'],
    [
      1,
      'failed to open the raw stream connection: dial unix /var/run/docker.sock: connect: permission denied',
      'ENDPOINT_FORBIDDEN',
    ],
    [
      1,
      'failed to open the raw stream connection: dial unix /x.sock: connect: no such file or directory',
      'ENDPOINT_REFUSED',
    ],
    [
      1,
      'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
      'ENDPOINT_REFUSED',
    ],
    [2, 'something else', 'ENDPOINT_SSH'],
  ] as const)('%s %s: %s', (exitCode, words, code) => {
    expect(ofSsh(exitCode, words)).toMatchObject({ code, evidence: [words] });
  });

  it('gives the reason after the banner, and what to try', () => {
    expect(ofSsh(255, 'Authorised use only', 'Host key verification failed.')).toMatchObject({
      params: { endpoint: SSH, reason: 'Host key verification failed.' },
      hint: expect.stringContaining('ssh -p 2222 ada@far.example docker version') as unknown,
    });
  });
});

describe('why TLS came to nothing', () => {
  const failureOf = (thrown: unknown, seconds = 5) =>
    probeFailure(thrown, TCP, parseEndpoint(TCP, 'linux', { verify: true }), seconds);
  const error = (code: string, message = code): Error => Object.assign(new Error(message), { code });
  // Word for word as dockerd 20.10 with --tlsverify made Node 20 say it; the last two as BoringSSL says it in Electron.
  const alert =
    '80DC694E987F0000:error:0A000412:SSL routines:ssl3_read_bytes:sslv3 alert bad certificate:../deps/o';
  const wrong =
    'write EPROTO 80DC694E987F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../d';
  const boring =
    'error:1000045c:SSL routines:OPENSSL_internal:TLSV1_CERTIFICATE_REQUIRED:../../third_party/bo';

  it.each([
    [error('ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', alert), 'ENDPOINT_TLS_CLIENT'],
    [error('EPROTO', `write EPROTO ${alert}`), 'ENDPOINT_TLS_CLIENT'],
    [error('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'), 'ENDPOINT_TLS_CLIENT'],
    [error('ECONNRESET', 'socket hang up'), 'ENDPOINT_TLS_CLIENT'],
    [
      error('ECONNRESET', 'Client network socket disconnected before secure TLS connection was established'),
      'ENDPOINT_BAD_ANSWER',
    ],
    [error('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'ENDPOINT_TLS_UNTRUSTED'],
    [error('DEPTH_ZERO_SELF_SIGNED_CERT'), 'ENDPOINT_TLS_UNTRUSTED'],
    [error('SELF_SIGNED_CERT_IN_CHAIN'), 'ENDPOINT_TLS_UNTRUSTED'],
    [error('CERT_HAS_EXPIRED'), 'ENDPOINT_TLS_EXPIRED'],
    [error('CERT_NOT_YET_VALID'), 'ENDPOINT_TLS_EXPIRED'],
    [error('ERR_TLS_CERT_ALTNAME_INVALID'), 'ENDPOINT_TLS_NAME'],
    [error('EPROTO', wrong), 'ENDPOINT_TLS_MISSING'],
    [
      error('ERR_OSSL_PEM_NO_START_LINE', 'error:0480006C:PEM routines::no start line'),
      'ENDPOINT_TLS_FAILED',
    ],
    [error('ERR_OSSL_X509_KEY_VALUES_MISMATCH'), 'ENDPOINT_TLS_FAILED'],
    [error('ECONNREFUSED'), 'ENDPOINT_REFUSED'],
    [error('EPROTO', boring), 'ENDPOINT_TLS_CLIENT'],
    [
      error('EPROTO', 'error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER:x'),
      'ENDPOINT_TLS_MISSING',
    ],
  ])('%s: %s', (thrown, code) => {
    expect(failureOf(thrown).code).toBe(code);
  });

  it('is said without what OpenSSL adds, and with the time after which the system gave up', () => {
    expect(failureOf(error('EPROTO', alert)).params['reason']).toBe('sslv3 alert bad certificate');
    const late = { code: 'ENDPOINT_TIMEOUT', params: { seconds: '11' } };
    expect(failureOf(error('ETIMEDOUT'), 11)).toMatchObject(late);
  });

  it('is not asked where there is no TLS, except by an engine that wants it', () => {
    const connection = parseEndpoint('tcp://far.example', 'linux');
    expect(probeFailure(error('ECONNRESET'), TCP, connection, 5).code).toBe('ENDPOINT_BAD_ANSWER');
    const wants = new BadAnswer('HTTP 400: Client sent an HTTP request to an HTTPS server.');
    expect(probeFailure(wants, TCP, connection, 5).code).toBe('ENDPOINT_TLS_WANTED');
  });
});
