import { fileURLToPath } from 'node:url';

/** The root directory of this repository. */
export const repository = fileURLToPath(new URL('../..', import.meta.url));
