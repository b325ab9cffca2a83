import { which } from './command.mjs';

/** Programs that the tests of remote engines start, and the Debian packages that have them. */
const PACKAGES = { ssh: 'openssh-client', openssl: 'openssl' };

const missing = () => Object.entries(PACKAGES).filter(([program]) => !which(program));

/** Are the programs there that the tests of remote engines start? */
export const hasTools = () => missing().length === 0;

/**
 * What has to be installed to have them.
 *
 * @returns {import('./system-packages.mjs').Wanted[]}
 */
export const toolPackages = () => missing().map(([, name]) => name);
