import { BenchmarkError } from '../../../shared/errors.ts';
import type { SshTarget } from '../engine/endpoints.ts';
import { sshTrial } from './ssh-command.ts';
import type { SshFailure } from './ssh-connection.ts';

/** What a shell says of a program that is not there; 127 is POSIX's exit status for it. */
const NO_DOCKER = /docker['"’]?:? (command )?not found|not recognized|docker: No such file/i;
/** docker over there is too old: `system dial-stdio` came with 18.09. */
const NO_DIAL = /is not a docker command|unknown command|unknown (shorthand )?flag/i;
const FORBIDDEN = /dial unix .*permission denied|permission denied while trying to connect/i;
const NO_ENGINE = /dial unix .*(no such file|connection refused)|cannot connect to the docker daemon/i;

/** Why there is no connection through ssh; everything that ssh and docker said is the evidence. */
export function sshFailure(failure: SshFailure, endpoint: string, target: SshTarget): BenchmarkError {
  const said = failure.words.join('\n');
  const evidence = { evidence: failure.words.slice(-12) };
  const trial = sshTrial(target);
  if (failure.exitCode === 'missing') {
    return new BenchmarkError('SSH_MISSING', { endpoint }, evidence);
  }
  // ssh keeps 255 for itself; every other status is that of the command over there.
  if (failure.exitCode === 255 || failure.exitCode === null) {
    const reason = telling(failure.words) ?? failure.how;
    return new BenchmarkError('ENDPOINT_SSH', { endpoint, reason, trial }, evidence);
  }
  if (failure.exitCode === 127 || NO_DOCKER.test(said) || NO_DIAL.test(said)) {
    const reason = telling(failure.words) ?? failure.how;
    return new BenchmarkError('ENDPOINT_SSH_DOCKER', { endpoint, reason, trial }, evidence);
  }
  if (FORBIDDEN.test(said)) return new BenchmarkError('ENDPOINT_FORBIDDEN', { endpoint }, evidence);
  if (NO_ENGINE.test(said)) return new BenchmarkError('ENDPOINT_REFUSED', { endpoint }, evidence);
  const reason = telling(failure.words) ?? failure.how;
  return new BenchmarkError('ENDPOINT_SSH', { endpoint, reason, trial }, evidence);
}

/**
 * The last line, where ssh puts its reason. With a jump host it comes before the connection's own end, which says
 * nothing.
 */
function telling(words: string[]): string | undefined {
  const lines = words.filter(
    (line) => !/^(kex_exchange_identification|Connection closed by UNKNOWN)/.test(line),
  );
  return lines.at(-1) ?? words.at(-1);
}
