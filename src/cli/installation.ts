import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installationPaths } from '../benchmark/installation/installation-paths.ts';
import { Whalemark } from '../benchmark/service.ts';

export const paths = installationPaths(join(dirname(fileURLToPath(import.meta.url)), '..'), __APP_VERSION__);

export const whalemark = new Whalemark(paths);
