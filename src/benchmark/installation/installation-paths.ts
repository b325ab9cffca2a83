import { homedir } from 'node:os';
import { join } from 'node:path';
import { dataDir } from '../files/data-dir.ts';
import type { InstallationPaths } from './installation.ts';

export function installationPaths(out: string, appVersion: string): InstallationPaths {
  const ownDir = dataDir(process.env, process.platform, homedir());
  const datasets = process.env['WHALEMARK_DATASETS'] ?? '';
  return {
    dataDir: ownDir,
    datasetDir: datasets === 'off' ? null : datasets || join(ownDir, 'datasets'),
    assetsDir: join(out, 'assets'),
    presetsDir: join(out, 'presets'),
    clientFile: join(out, 'main', 'client.cjs'),
    appVersion,
  };
}
