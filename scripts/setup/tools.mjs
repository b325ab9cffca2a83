import { which } from './command.mjs';

/** Programs that the tests of remote engines start, and the Debian packages that have them. */
const PACKAGES = { ssh: 'openssh-client', openssl: 'openssl' };

const missing = () => Object.entries(PACKAGES).filter(([program]) => !which(program));

/** Whether the programs are there that the tests of remote engines start. */
export const hasTools = () => missing().length === 0;

/**
 * Packages of the missing programs.
 *
 * @returns {import('./system-packages.mjs').Wanted[]}
 */
export const toolPackages = () => missing().map(([, name]) => name);
