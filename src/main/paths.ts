import { homedir } from 'node:os';
import { join } from 'node:path';
import { dataDir } from '../benchmark/data-dir.ts';

/** `out/`: this file is bundled to `out/main`, the other parts stand beside it (inside app.asar when packaged). */
const out = join(__dirname, '..');

export const paths = {
  dataDir: dataDir(process.env, process.platform, homedir()),
  assets: join(out, 'assets'),
  presets: join(out, 'presets'),
  core: join(out, 'main', 'core.cjs'),
  client: join(out, 'main', 'client.cjs'),
  preload: join(out, 'preload', 'preload.cjs'),
  renderer: join(out, 'renderer'),
};
