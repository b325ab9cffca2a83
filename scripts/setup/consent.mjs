import { createInterface } from 'node:readline/promises';
import { hasInitSystem, isDebianLike, isRoot } from './machine.mjs';
import { say } from './report.mjs';

/**
 * True in CI, and where root has no terminal and no init system, as in a container. WHALEMARK_SETUP=no denies
 * it.
 */
export function isThrowAway() {
  if (process.env['WHALEMARK_SETUP'] === 'no') return false;
  if (process.env['CI'] === 'true') return true;
  return isRoot() && isDebianLike() && !process.stdin.isTTY && !hasInitSystem();
}

export const unattended = () => isThrowAway() || process.env['WHALEMARK_SETUP'] === 'yes';

/**
 * Throws unless the system may be changed with this command.
 *
 * @param {string} reason a sentence
 * @param {string} command
 */
export async function askConsent(reason, command) {
  if (unattended()) return;
  const refused = `${reason}\nRun this yourself, or set WHALEMARK_SETUP=yes to let set-up do it:\n  ${command}`;
  if (!process.stdin.isTTY || process.env['WHALEMARK_SETUP'] === 'no') throw new Error(refused);
  say(`${reason} This would be run:\n  ${command}`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Go ahead? [y/N] ');
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new Error(refused);
}
