import { join } from 'node:path';
import { installationPaths } from '../benchmark/installation/installation.ts';

/** `out/`: this file is bundled to `out/main`, the other parts stand beside it (inside app.asar when packaged). */
const out = join(__dirname, '..');

/** What the core needs to find. */
export const installation = installationPaths(out, __APP_VERSION__);

/** What only the app has. */
export const paths = {
  core: join(out, 'main', 'core.cjs'),
  preload: join(out, 'preload', 'preload.cjs'),
  renderer: join(out, 'renderer'),
};
