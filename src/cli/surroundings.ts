import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataDir } from '../benchmark/data-dir.ts';

/** Where the installed program keeps its parts: this file is bundled to `out/cli`, the rest stands beside it. */
const out = join(dirname(fileURLToPath(import.meta.url)), '..');

export const installationPaths = {
  dataDir: dataDir(process.env, process.platform, homedir()),
  assetsDir: join(out, 'assets'),
  presetsDir: join(out, 'presets'),
  clientFile: join(out, 'main', 'client.cjs'),
  appVersion: __APP_VERSION__,
};
