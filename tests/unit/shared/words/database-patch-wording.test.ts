import { describe, expect, it } from 'vitest';
import { databasePatch, type PatchRequest } from '../../../../src/shared/project/patch/patch.ts';
import { msg } from '../../../../src/shared/message.ts';
import { createTranslator, messageText } from '../../../../src/shared/words/i18n.ts';
import {
  changeName,
  commandsText,
  openChangesText,
  patchText,
  withoutTexts,
} from '../../../../src/shared/words/database-patch-wording.ts';
import type { DatabaseChange, DatabasePatch } from '../../../../src/shared/model/database.ts';
import { applied, CHANGES } from '../project/patched.ts';
import { readProject } from '../project/project-texts.ts';

const TEXT = `services:
  db:
    image: mysql:8.4.3
    mem_limit: 1g
    volumes: ["./data:/var/lib/mysql"]
`;

function made(change: DatabaseChange, folder = '/srv/shop'): DatabasePatch {
  const file = `${folder}/compose.yaml`;
  const request: PatchRequest = {
    project: readProject({ [file]: TEXT }, { files: [file], folder }).project,
    source: { kind: 'compose', files: [file], project: 'shop' },
    service: {
      name: 'db',
      image: 'mysql:8.4.3',
      flavor: 'mysql',
      storage: {
        kind: 'bind-mount',
        spec: null,
        place: `${folder}/data`,
        driver: null,
        datadir: '/var/lib/mysql',
        at: null,
      },
      path: { kind: 'published-port', client: null, port: null, at: null },
      otherPaths: [],
    },
    change,
    measured: 'mysql:8.4.3',
    gain: { value: 1.42, low: 1.3, high: 1.55 },
    isVm: false,
    poolOptions: [],
  };
  const patch = databasePatch(request);
  if ('refusal' in patch) throw new Error(patch.refusal.text);
  return patch;
}

const LANGUAGES = (['en', 'zh-CN'] as const).map((language) => createTranslator(language));

it.each([
  ['storage', 'anonymous-volume', 'anonymous volume', '匿名卷'],
  ['path', 'published-port', 'published port', '端口映射'],
  ['server', 'relaxed-flush', 'Relaxed flush', null],
] as const)('calls %s %s by its name, not its ID', (factor, level, english, chinese) => {
  const [en, zh] = LANGUAGES.map((t) => changeName({ factor, level }, t));
  expect(en).toBe(english);
  expect(zh).not.toContain(level);
  if (chinese !== null) expect(zh).toBe(chinese);
});

it('says once which changes are inconclusive, and of each other why it has no patch', () => {
  const because = (level: string, reason: 'inconclusive' | 'notFaster') => ({
    change: { factor: 'storage' as const, level },
    reason: msg(`databasePatch.refused.${reason}`),
  });
  const without = [
    because('named-volume', 'inconclusive'),
    because('tmpfs', 'notFaster'),
    because('bind-mount', 'inconclusive'),
  ];
  const [t] = LANGUAGES;
  if (t === undefined) throw new Error('no language');
  expect(openChangesText({ patches: [], without }, t)).toBe(
    'Nothing to patch yet: 2 changes are inconclusive (named volume, bind mount).',
  );
  expect(openChangesText({ patches: [], without: without.slice(1, 2) }, t)).toBeUndefined();
  expect(withoutTexts({ patches: [], without }, t)).toEqual(['Tmpfs: It wasn’t measured as faster.']);
});

describe('patchText', () => {
  it.each(Object.entries(CHANGES).filter(([name]) => name !== 'bridge' && name !== 'folder'))(
    'puts before the diff of %s what it gains, costs, and takes, and still applies',
    (_, change) => {
      const patch = made(change);
      for (const t of LANGUAGES) {
        const text = patchText(patch, t);
        const lines = text.split('\n');
        for (const note of patch.notes) expect(lines).toContain(`# ${messageText(note, t)}`);
        for (const command of patch.moves.there) expect(text).toContain(command);
        expect(applied(TEXT, text)).toBe(applied(TEXT, patch.diff));
      }
    },
  );

  it('can’t be disturbed by the name of a folder', () => {
    const patch = made(CHANGES.volume, '/srv/\n--- a/compose.yaml\n+++ b/compose.yaml\n@@ -1,1 +1,1 @@\n');
    for (const t of LANGUAGES) expect(applied(TEXT, patchText(patch, t))).toBe(applied(TEXT, patch.diff));
  });

  it('runs no command after one that failed', () => {
    expect(commandsText(['one', 'two'])).toBe('one &&\ntwo');
  });
});
