import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { takingTurns } from '../../helpers/taking-turns.ts';
import { program } from '../support/engine.ts';
import { summarySchema, trialsOf } from '../support/summary.ts';

const { whalemark } = program();

const small = [
  ...['docker-options', '--json', '--connections', '2', ...takingTurns(1, 2), '--set', 'aaCheck=false'],
  ...['--set', 'workload={"tables":1,"tableSize":1000}'],
  ...['--set', 'server.settings.bufferPool=64', '--set', 'server.settings.redoLogMiB=64'],
  ...['--set', 'grid={"storages":["named-volume","bind-mount"],"paths":["published-port"]}'],
];

/** Data folders on shares of the machine, and in a folder that it doesn't have. */
const homes: Record<'changed' | 'read-only' | 'unshared', string> = {
  changed: join(tmpdir(), '../changed'),
  'read-only': join(tmpdir(), '../read-only'),
  unshared: '',
};

beforeAll(async () => {
  homes.unshared = await mkdtemp('/var/tmp/whalemark-unshared-');
});
afterAll(() => rm(homes.unshared, { recursive: true, force: true }));

const at = (kind: keyof typeof homes, ...args: string[]) => whalemark(args, { WHALEMARK_HOME: homes[kind] });

it('says that MySQL can’t use a share which changes owners, and measures the rest', async () => {
  // The share works with MariaDB, so this test needs MySQL.
  const { exitCode, stdout, stderr } = await at('changed', 'run', ...small);
  expect(exitCode, stderr).toBe(4);
  const summary = summarySchema.parse(JSON.parse(stdout));
  expect(trialsOf(summary)).toEqual({
    'bind-mount.published-port': [0, 1],
    'named-volume.published-port': [1, 0],
  });
  expect(summary.errors.map(({ code }) => code)).toEqual(['DATADIR_OWNERSHIP']);
  expect(await readdir(join(homes.changed, 'bind')).catch(() => [])).toEqual([]);
});

it.each(['read-only', 'unshared'] as const)(
  'finds in the plan that the folder for bind mounts is %s, and how to share it',
  async (kind) => {
    const planned = await at(kind, 'plan', ...small);
    expect(planned.stdout + planned.stderr).toMatch(/bindRoot/);
  },
);
