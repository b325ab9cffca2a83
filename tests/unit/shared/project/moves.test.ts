import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { movesOf, savedAs, shellWord, type MoveRequest } from '../../../../src/shared/project/patch/moves.ts';
import { CHANGES } from './patched.ts';
import { newFolder } from '../../../helpers/folders.ts';

function request(
  storage: Partial<MoveRequest['service']['storage']>,
  more: Partial<MoveRequest> = {},
): MoveRequest {
  return {
    source: { kind: 'compose', files: ['/srv/shop/compose.yaml'], project: 'shop' },
    service: {
      name: 'db',
      image: 'mysql:8.4',
      storage: {
        kind: 'bind-mount',
        spec: null,
        place: '/srv/shop/data',
        driver: null,
        datadir: '/var/lib/mysql',
        at: null,
        ...storage,
      },
    },
    home: storage.datadir ?? '/var/lib/mysql',
    folder: '/srv/shop',
    fileFolder: '/srv/shop',
    place: 'db-data',
    change: CHANGES.volume,
    ...more,
  };
}

describe('movesOf', () => {
  it('applies the patch and starts the service again where the data stays', () => {
    const { there, back } = movesOf(request({}, { place: null, change: CHANGES.limits }));
    const steps = (all: string[]): string[] => all.filter((one) => /apply| up | stop |docker run/.test(one));
    expect(steps(there)).toEqual(['git apply without-limits.patch', 'docker compose up --detach db']);
    expect(steps(back)).toEqual([
      'git apply --reverse without-limits.patch',
      'docker compose up --detach db',
    ]);
  });

  it.each([
    [
      ['/srv/shop/docker-compose.yml', '/srv/shop/docker-compose.override.yml'],
      'shop',
      'docker compose stop --timeout 300 db',
    ],
    [['/srv/shop/prod.yaml'], 'shop', 'docker compose --file prod.yaml stop --timeout 300 db'],
    [
      ['/srv/shop/compose.yaml', '/srv/base.yaml'],
      'shop',
      'docker compose --file compose.yaml --file /srv/base.yaml stop --timeout 300 db',
    ],
    [['/srv/shop/compose.yaml'], 'my shop', "docker compose --project-name 'my shop' stop --timeout 300 db"],
  ])('names files %s and project %s only where Compose would not find them', (files, project, stop) => {
    const { there } = movesOf(request({}, { source: { kind: 'compose', files, project } }));
    expect(there).toContain(stop);
  });

  it('applies the patch where its file is', () => {
    const { there, back } = movesOf(request({}, { fileFolder: '/srv/my overrides' }));
    expect(there).toContain("git -C '/srv/my overrides' apply named-volume.patch");
    expect(back).toContain("git -C '/srv/my overrides' apply --reverse named-volume.patch");
  });

  it('takes the patch from where it was saved', () => {
    const moves = movesOf(request({}));
    const { there, back } = savedAs({ change: CHANGES.volume, moves }, "/tmp/it's mine.patch");
    expect(there.join()).not.toContain('named-volume.patch');
    expect(there).toContain("git apply '/tmp/it'\\''s mine.patch'");
    expect(back).toContain("git apply --reverse '/tmp/it'\\''s mine.patch'");
    expect(there).toHaveLength(moves.there.length);
  });

  it('copies nothing out of memory', () => {
    const { there, back } = movesOf(request({ kind: 'tmpfs', place: null }));
    expect([...there, ...back].filter((command) => /docker (run|cp|volume)/.test(command))).toEqual([]);
  });

  describe('before the server is stopped', () => {
    const { there } = movesOf(request({}));
    const checked = there.findIndex((command) => command.includes('lower_case_table_names'));
    const [, script = ''] = /-c '(.*)' copy \/from \/to$/s.exec(there[checked] ?? '') ?? [];
    let root = '';
    const dir = (name: string): string => join(root, name);
    const check = () => spawnSync('sh', ['-c', script, 'copy', dir('old'), dir('new')], { encoding: 'utf8' });
    beforeEach(() => {
      root = newFolder();
      for (const name of ['old', 'old/mysql', 'new']) mkdirSync(dir(name));
    });

    it('checks that it would start on a copy, and leaves nothing', () => {
      expect(checked).toBeGreaterThan(0);
      expect(there.findIndex((command) => command.includes(' stop '))).toBeGreaterThan(checked);
      expect(check().status).toBe(0);
      expect(readdirSync(dir('new'))).toEqual([]);
    });

    it('refuses a copy from where upper and lower case are the same', () => {
      symlinkSync('mysql', dir('old/MYSQL'));
      const { status, stderr } = check();
      expect(status).toBe(1);
      expect(stderr).toContain('lower_case_table_names');
      expect(readdirSync(dir('new'))).toEqual([]);
    });

    it('refuses a place with files, and leaves them', () => {
      mkdirSync(dir('new/mysql'));
      expect(check().status).toBe(1);
      expect(readdirSync(dir('new'))).toEqual(['mysql']);
    });
  });

  it('gives a shell exactly the word that was meant', () => {
    fc.assert(
      fc.property(
        fc
          .oneof(fc.string(), fc.constantFrom('$(reboot)', "it's", '`x`', 'a\nb', '~', '-x', '*'))
          .filter((word) => !word.includes('\0')),
        (word) => {
          expect(execFileSync('sh', ['-c', `printf %s ${shellWord(word)}`], { encoding: 'utf8' })).toBe(word);
        },
      ),
      { numRuns: 60 },
    );
  });
});
