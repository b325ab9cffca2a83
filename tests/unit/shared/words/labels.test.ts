import { describe, expect, it } from 'vitest';
import type { ScenarioLabel } from '../../../../src/shared/model/plan.ts';
import { LANGUAGES } from '../../../../src/shared/model/settings.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { labelText } from '../../../../src/shared/words/labels.ts';
import { expectSaid } from '../../../helpers/shown.ts';

const PLAIN: ScenarioLabel = {
  ownName: null,
  engine: null,
  server: null,
  storage: 'named-volume',
  storageName: null,
  path: 'published-port',
  omitsPath: false,
  loadGenerator: null,
  connections: null,
  isRepeat: false,
};

describe('the label of a scenario', () => {
  it('is said in each language', async () => {
    const labels: Record<string, Partial<ScenarioLabel>> = {
      plain: {},
      'measured again': { storage: 'bind-mount', path: 'host-network', isRepeat: true },
      'on a server, with connections': {
        ...{ server: 'Large buffer pool (in memory)', storage: 'tmpfs' },
        ...{ path: 'container-ip', connections: 8 },
      },
      'from another node, with a load generator': {
        ...{ storage: 'nfs', path: 'overlay-other-node', loadGenerator: 'sysbench' },
      },
      'storage with a name': { storageName: 'my fast disk', path: 'unix-socket' },
      native: { storage: 'native', path: 'loopback' },
      'its own name': { ownName: 'At home, with commas (and more)' },
    };
    const said = (parts: Partial<ScenarioLabel>): string[] =>
      LANGUAGES.map((one) => labelText({ ...PLAIN, ...parts }, createTranslator(one)));
    await expectSaid('labels', labels, said);
  });

  it('leaves out what a heading has said', () => {
    const label = {
      ...PLAIN,
      storageName: 'Disk 1, cold',
      loadGenerator: 'builtin',
      server: 'Big, cold',
      connections: 4,
    } as const;
    const said = { loadGenerator: null, server: 'Big, cold', connections: 4 };
    expect(labelText(label, createTranslator('en'), said)).toBe('Disk 1, cold via published port, Whalemark');
  });
});
