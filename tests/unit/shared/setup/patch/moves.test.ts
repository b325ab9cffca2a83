import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { movesOf, shellWord, type MoveRequest } from '../../../../../src/shared/setup/patch/moves.ts';

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
    folder: '/srv/shop',
    fileFolder: '/srv/shop',
    place: 'db-data',
    patchFile: 'db-named-volume.patch',
    ...more,
  };
}

describe('movesOf', () => {
  it('starts the service again where the data stays', () => {
    const start = ['docker compose up --detach db'];
    expect(movesOf(request({}, { place: null }))).toEqual({ there: start, back: start });
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
    expect(there).toContain("git -C '/srv/my overrides' apply db-named-volume.patch");
    expect(back).toContain("git -C '/srv/my overrides' apply --reverse db-named-volume.patch");
  });

  it('copies nothing out of memory', () => {
    const { there, back } = movesOf(request({ kind: 'tmpfs', place: null }));
    expect([...there, ...back].filter((command) => /docker (run|cp|volume)/.test(command))).toEqual([]);
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
