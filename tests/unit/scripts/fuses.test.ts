import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FUSES } from '../../../scripts/build/fuses.mjs';

const root = join(import.meta.dirname, '../../..');
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(root, 'src', file), 'utf8'));

describe('the fuses of the package', () => {
  it('are all that Electron has, each with a reason', () => {
    expect(Object.keys(FUSES)).toEqual([
      'runAsNode',
      'enableCookieEncryption',
      'enableNodeOptionsEnvironmentVariable',
      'enableNodeCliInspectArguments',
      'enableEmbeddedAsarIntegrityValidation',
      'onlyLoadAppFromAsar',
      'loadBrowserProcessSpecificV8Snapshot',
      'grantFileProtocolExtraPrivileges',
      'wasmTrapHandlers',
    ]);
    for (const { why } of Object.values(FUSES)) expect(why).toMatch(/\.$/);
  });

  it('let nobody put code into the app', () => {
    expect(FUSES).toMatchObject({
      enableNodeOptionsEnvironmentVariable: { value: false },
      enableNodeCliInspectArguments: { value: false },
      enableEmbeddedAsarIntegrityValidation: { value: true },
      onlyLoadAppFromAsar: { value: true },
      grantFileProtocolExtraPrivileges: { value: false },
    });
  });

  it('let the app run as Node exactly as long as it does so itself', () => {
    const uses = sources.some((text) => /ELECTRON_RUN_AS_NODE: '1'/.test(text));
    expect(FUSES['runAsNode']?.value).toBe(uses);
  });

  it('are those of docs/security.md', () => {
    const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)` \| (on|off) \| (.+) \|$/gm)];
    const said = rows.map(([, name = '', state, why]) => [name, { value: state === 'on', why }]);
    expect(Object.fromEntries(said)).toEqual(FUSES);
  });
});
