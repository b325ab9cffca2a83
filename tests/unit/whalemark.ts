import { Whalemark } from '../../src/benchmark/service.ts';

/** Whalemark with the repository's presets; it writes nowhere. */
export function testWhalemark(): Whalemark {
  return new Whalemark({
    dataDir: '/nonexistent',
    datasetDir: null,
    assetsDir: 'assets',
    presetsDir: 'presets',
    clientFile: '/c',
    appVersion: '0',
  });
}
