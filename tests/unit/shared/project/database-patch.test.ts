import { describe, expect, it } from 'vitest';
import type { DatabaseService } from '../../../../src/shared/model/database.ts';
import { databasePatch, type PatchRequest } from '../../../../src/shared/project/patch/patch.ts';
import { CHANGES, projectOf, yaml } from './patched.ts';
import { FOLDER } from './project-texts.ts';

function made(
  text: string,
  change: keyof typeof CHANGES,
  storage: Partial<DatabaseService['storage']> = {},
): ReturnType<typeof databasePatch> {
  const request: PatchRequest = {
    project: projectOf(yaml(text)),
    source: { kind: 'compose', files: [`${FOLDER}/compose.yaml`], project: 'shop' },
    service: {
      name: 'db',
      image: 'mysql:8.4',
      flavor: 'mysql',
      storage: {
        kind: 'named-volume',
        spec: null,
        place: 'shop_data',
        driver: 'local',
        datadir: '/var/lib/mysql',
        at: null,
        ...storage,
      },
      path: { kind: 'published-port', client: null, port: 3306, at: null },
      otherPaths: [],
    },
    change: CHANGES[change],
    gain: { value: 1.4, low: null, high: null },
    isVm: false,
  };
  return databasePatch(request);
}

const notesOf = (patch: ReturnType<typeof databasePatch>): string[] => {
  if ('refusal' in patch) throw new Error(patch.refusal.text);
  return patch.notes.map(({ code }) => code.replace('databasePatch.note.', ''));
};

const WITH_BACKUP = `
  services:
    db:
      image: mysql:8.4
      mem_limit: 1g
      volumes: ["./data:/var/lib/mysql"]
    backup:
      image: backup
      volumes:
        - type: bind
          source: ./data
          target: /source
`;

describe('databasePatch', () => {
  it('names services that would keep the old place', () => {
    const patch = made(WITH_BACKUP, 'volume', { kind: 'bind-mount', place: '/srv/shop/data' });
    expect(notesOf(patch)).toEqual(['asSafe', 'inVolume', 'alsoThere']);
    expect('notes' in patch && patch.notes.at(-1)?.params).toEqual({
      place: 'compose.yaml:9',
      service: 'backup',
    });
  });

  it.each([
    ['volume', { kind: 'tmpfs', place: null }, ['kept', 'memory', 'inVolume']],
    ['volume', { kind: 'anonymous-volume', place: null }, ['kept', 'inVolume']],
    ['folder', { kind: 'nfs' }, ['asSafe', 'inFolder']],
    ['host', {}, ['isolation', 'localOnly']],
    ['limits', {}, ['noLimits']],
    ['limits', { kind: 'tmpfs', place: null }, ['memory', 'noLimits']],
    ['flush', {}, ['last-second']],
    ['binlog', {}, ['binary-log']],
  ] as const)('of %s on %s says what becomes safer or less safe', (change, storage, notes) => {
    const mount = change === 'folder' ? 'volumes: ["data:/var/lib/mysql"]' : 'restart: always';
    const text = `
      services:
        db:
          image: mysql:8.4
          mem_limit: 1g
          ${mount}
      volumes:
        data:
    `;
    expect(notesOf(made(text, change, storage))).toEqual(notes);
  });

  it('keeps a container whose layer has the data', () => {
    const layer = { kind: 'container-layer', place: null, datadir: '/srv/mysql' } as const;
    for (const change of ['host', 'limits', 'flush'] as const) {
      const patch = made(WITH_BACKUP, change, layer);
      expect('refusal' in patch && patch.refusal.code).toBe('databasePatch.refused.layer');
    }
    expect('diff' in made(WITH_BACKUP.replace('/var/lib', '/srv'), 'volume', layer)).toBe(true);
  });
});
