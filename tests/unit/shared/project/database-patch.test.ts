import { describe, expect, it } from 'vitest';
import type { DatabaseService } from '../../../../src/shared/model/database.ts';
import { databasePatch, type PatchRequest } from '../../../../src/shared/project/patch/patch.ts';
import { applied, CHANGES, projectOf, yaml } from './patched.ts';
import { FOLDER } from './project-texts.ts';

function made(
  text: string,
  change: keyof typeof CHANGES,
  storage: Partial<DatabaseService['storage']> = {},
  { file = 'compose.yaml', image = 'mysql:8.4' } = {},
): ReturnType<typeof databasePatch> {
  const request: PatchRequest = {
    project: projectOf({ [file]: yaml(text) }),
    source: { kind: 'compose', files: [`${FOLDER}/${file}`], project: 'shop' },
    service: {
      name: 'db',
      image,
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
    measured: 'mysql:8.4',
    isVm: false,
    poolOptions: [],
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
    ['flush', {}, ['mayLose', 'mayLose']],
    ['binlog', {}, ['mayLose']],
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

describe('an image that starts in its own way', () => {
  const BITNAMI = `
    services:
      db:
        image: bitnami/mysql:8.4.3
        volumes: ["./data:/bitnami/mysql"]
  `;
  const storage = { kind: 'bind-mount', place: '/srv/shop/data', datadir: '/bitnami/mysql/data' } as const;
  const bitnami = { image: 'bitnami/mysql:8.4.3' };

  it('keeps its data below the mount, which moves as a whole', () => {
    const patch = made(BITNAMI, 'volume', storage, bitnami);
    if ('refusal' in patch) throw new Error(patch.refusal.text);
    expect(patch.diff).toContain('+    volumes: ["db-data:/bitnami/mysql"]');
    expect(notesOf(patch)[0]).toBe('official');
    const { there, back } = patch.moves;
    expect(there.filter((one) => one.includes(' copy '))).toEqual([
      expect.stringMatching(/ copy \/from \/to \/data$/),
      expect.stringMatching(/ copy \/from \/to \/data$/),
    ]);
    expect(back.join('\n')).toContain('test -d "$1$3/mysql"');
  });

  it('takes no options as its command', () => {
    const patch = made(BITNAMI, 'flush', storage, bitnami);
    expect('refusal' in patch && patch.refusal.code).toBe('databasePatch.refused.image');
  });

  it('of DDEV gets one more option file, and no other storage', () => {
    const config = 'name: shop\ndatabase: { type: mysql, version: "8.4" }\n';
    const ddev = { file: '.ddev/config.yaml', image: 'ddev/ddev-dbserver-mysql-8.4' };
    const patch = made(config, 'flush', {}, ddev);
    if ('refusal' in patch) throw new Error(patch.refusal.text);
    const name = 'mysql/whalemark-relaxed-flush.cnf';
    expect(patch.file).toBe(`${FOLDER}/.ddev/${name}`);
    expect(applied('', patch.diff, name)).toBe('[mysqld]\ninnodb-flush-log-at-trx-commit=2\nsync-binlog=0\n');
    expect(patch.moves.there).toContain('ddev restart');
    const other = made(config, 'volume', {}, ddev);
    expect('refusal' in other && other.refusal.code).toBe('databasePatch.refused.stack');
  });
});
