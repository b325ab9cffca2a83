import { describe, expect, it } from 'vitest';
import { requireAnswers } from '../../../../src/benchmark/presets/preset-store.ts';
import { checkPreset } from '../../../../src/benchmark/presets/preset-file.ts';
import { resolvedPreset } from '../../../../src/shared/model/preset.ts';
import { builtIn, builtInPresets } from '../../built-in-presets.ts';

describe('what a preset needs of the user', () => {
  it('is the NFS server, and the message names the fields and how to give them', async () => {
    const preset = await builtIn('nfs-vs-local');
    expect(() => requireAnswers(resolvedPreset(preset))).toThrowError(
      expect.objectContaining({
        code: 'PRESET_INCOMPLETE',
        message: expect.stringContaining('storages.nfs.nfs.address') as string,
        hint: expect.stringContaining('--set storages.nfs.nfs.address=') as string,
      }) as Error,
    );
    const { nfs } = preset.storages;
    const answered = { ...preset.storages, nfs: { ...nfs, nfs: { address: '10.0.0.7', path: '/export' } } };
    expect(() =>
      requireAnswers(resolvedPreset(checkPreset({ ...preset, storages: answered }, 'nfs'))),
    ).not.toThrow();
  });

  it('is nothing where no scenario uses it', async () => {
    for (const preset of await builtInPresets()) {
      if (preset.id === 'nfs-vs-local') continue;
      expect(() => requireAnswers(resolvedPreset(preset))).not.toThrow();
    }
  });
});
