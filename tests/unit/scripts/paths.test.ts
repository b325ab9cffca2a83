import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const PATH = /(?<![\w/.~@$}-])(?:src|docs|tests|presets|assets|scripts|bench|packaging)\/[\w@-][\w./@-]*\w/g;
/** Stands for any of them. */
const NOT_THERE = new Set(['bench/NAME.ts']);

const scripts = ['scripts', 'packaging', 'bench'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:mjs|ts)$/.test(name))
    .map((name) => join(folder, name)),
);

// Some run by hand only, such as the one that takes the screenshots: nothing else would tell that a file has moved.
describe('scripts', () => {
  it.each(['package.json', 'eslint.config.js', 'electron-builder.yml', ...scripts])(
    '%s names only files and folders that are there',
    (file) => {
      const named = readFileSync(join(root, file), 'utf8').match(PATH) ?? [];
      expect(named.filter((path) => !existsSync(join(root, path)) && !NOT_THERE.has(path))).toEqual([]);
    },
  );
});
