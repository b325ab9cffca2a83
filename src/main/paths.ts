import { join } from 'node:path';
import { installationPaths } from '../benchmark/installation/installation-paths.ts';

/** `out/`: this file is bundled to `out/main`. */
const out = join(__dirname, '..');

export const installation = installationPaths(out, __APP_VERSION__);

export const paths = {
  core: join(out, 'main', 'core.cjs'),
  preload: join(out, 'preload', 'preload.cjs'),
  renderer: join(out, 'renderer'),
};
