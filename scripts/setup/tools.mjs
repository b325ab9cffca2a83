import { which } from './command.mjs';

const PACKAGES = { ssh: 'openssh-client', openssl: 'openssl' };

const missing = () => Object.entries(PACKAGES).filter(([program]) => !which(program));

export const hasTools = () => missing().length === 0;

/** @returns {import('./system-packages.mjs').Wanted[]} */
export const toolPackages = () => missing().map(([, name]) => name);
