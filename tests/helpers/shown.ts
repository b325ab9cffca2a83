import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'vitest';

/** Holds texts, each below its title, against a file. */
export async function expectShown(
  file: string,
  texts: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const all = Object.entries(texts).map(([title, lines]) => [title, ...lines.map((one) => `  ${one}`)]);
  const path = join(process.cwd(), 'tests/fixtures/documents', `${file}.txt`);
  await expect(`${all.map((lines) => lines.join('\n')).join('\n\n')}\n`).toMatchFileSnapshot(path);
}

/** Compares the texts of all cases with a file. */
export async function expectSaid<T>(
  file: string,
  cases: Readonly<Record<string, T>>,
  said: (one: T) => string[],
): Promise<void> {
  await expectShown(
    file,
    Object.fromEntries(Object.entries(cases).map(([title, one]) => [title, said(one)])),
  );
}
