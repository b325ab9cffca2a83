import { createInterface } from 'node:readline/promises';
import { hasInitSystem, isDebianLike, isRoot } from './machine.mjs';
import { say } from './report.mjs';

/** Set-up would have had to change the system and was not allowed to. Nothing has been changed. */
export class SetupRefused extends Error {
  /**
   * @param {string} reason what is missing
   * @param {string} command what a person can run to provide it
   */
  constructor(reason, command) {
    super(`${reason}\nRun this yourself, or set WHALEMARK_SETUP=yes to let set-up do it:\n  ${command}`);
    this.name = 'SetupRefused';
    this.command = command;
  }
}

/**
 * Is this machine thrown away afterwards? CI says so. Otherwise: root, nobody at the keyboard, and no init system as process 1,
 * which is how a container or a micro virtual machine looks. A person's own computer never looks like that;
 * WHALEMARK_SETUP=no says that it is one anyway.
 */
export function isThrowAway() {
  if (process.env['WHALEMARK_SETUP'] === 'no') return false;
  if (process.env['CI'] === 'true') return true;
  return isRoot() && isDebianLike() && !process.stdin.isTTY && !hasInitSystem();
}

/** May set-up change the system without asking? On a machine that is thrown away, and where somebody said so. */
export const unattended = () => isThrowAway() || process.env['WHALEMARK_SETUP'] === 'yes';

/**
 * Returns when the system may be changed with this command; throws {@link SetupRefused} when not.
 *
 * @param {string} reason what is missing, as a sentence
 * @param {string} command exactly what would be run
 */
export async function askConsent(reason, command) {
  if (unattended()) return;
  if (!process.stdin.isTTY || process.env['WHALEMARK_SETUP'] === 'no')
    throw new SetupRefused(reason, command);
  say(`${reason} This would be run:\n  ${command}`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Go ahead? [y/N] ');
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new SetupRefused(reason, command);
}
