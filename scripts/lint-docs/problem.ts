import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface Problem {
  file: string;
  /** Number of the line; the first is 1. */
  line?: number;
  problem: string;
}

/** Paths begin at the root and have `/` between. */
export interface Repository {
  files: ReadonlySet<string>;
  read(path: string): string;
  bytes(path: string): number;
}

const MADE = new Set(
  'node_modules .git out dist .cache test-results playwright-report whalemark-report'.split(' '),
);

export function repositoryIn(root: string): Repository {
  const filesIn = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (MADE.has(path)) return [];
      return entry.isDirectory() ? filesIn(path) : [path];
    });
  return {
    files: new Set(filesIn('')),
    read: (path) => readFileSync(join(root, path), 'utf8'),
    bytes: (path) => statSync(join(root, path)).size,
  };
}

export const problemsOf = (file: string, found: readonly string[]): Problem[] =>
  found.map((problem) => ({ file, problem }));

export function differences(
  one: readonly string[],
  other: readonly string[],
  [onlyInOne, onlyInOther]: [string, string],
): string[] {
  return [
    ...one.filter((text) => !other.includes(text)).map((text) => `${onlyInOne}: ${text}`),
    ...other.filter((text) => !one.includes(text)).map((text) => `${onlyInOther}: ${text}`),
  ];
}
