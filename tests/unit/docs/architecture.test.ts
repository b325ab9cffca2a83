import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const rooms = page.slice(page.indexOf('## Rooms'), page.indexOf('## Processes'));

const foldersIn = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

describe('the rooms of docs/architecture.md', () => {
  it.each(foldersIn('src'))('have src/%s', (room) => {
    expect(rooms).toContain(`| \`src/${room}\` |`);
  });

  it.each(foldersIn('src').flatMap((room) => foldersIn(`src/${room}`).map((folder) => [room, folder])))(
    'name what src/%s/%s is for',
    (room, folder) => {
      const row = rooms.split('\n').find((line) => line.startsWith(`| \`src/${room}\` |`));
      // The core's folders have a table of their own.
      const place = room === 'benchmark' ? rooms.slice(rooms.indexOf('| in `src/benchmark` |')) : row;
      expect(place).toContain(`\`${folder}/\``);
    },
  );

  it('name no folder of the core that is gone', () => {
    const rows = rooms.slice(rooms.indexOf('| in `src/benchmark` |')).split('\n').slice(2);
    const named = rows.flatMap((line) => {
      const [, first = ''] = /^\| ([^|]+) \|/.exec(line) ?? [];
      return [...first.matchAll(/`([^`]+)\/`/g)].map(([, name = '']) => name);
    });
    expect(named.sort()).toEqual(foldersIn('src/benchmark').sort());
  });
});
