import { afterEach, expect, it, vi } from 'vitest';
import type { LoadClient } from '../../../../src/benchmark/load/load-client.ts';
import type { OwnCommand } from '../../../../src/benchmark/context/own-task.ts';
import { mayRunAgain, provenUse } from '../../../../src/benchmark/tasks/proven-use.ts';

afterEach(() => vi.unstubAllEnvs());

const TARGET = { host: 'h', port: 1, user: 'u', password: 'p', database: 'd' };
const SECRET = 'mysql://shop:secret@db.example/shop';

/** Counts as MySQL does: its reading is a login and two questions. */
function serverWith(grown: { logins: number; questions: number }, isHere = true) {
  const count = { Connections: 7, Questions: 30 };
  const query = (): Promise<(string | number)[][]> => {
    count.Connections += 1;
    count.Questions += 1;
    const rows = Object.entries(count);
    count.Questions += 1;
    return Promise.resolve(rows);
  };
  const command: OwnCommand = { words: ['x'], folder: '/', limitSeconds: 1, tell: () => undefined };
  let runs = 0;
  const run = (): Promise<number> => {
    runs += 1;
    count.Connections += grown.logins;
    count.Questions += grown.questions;
    return Promise.resolve(12);
  };
  const place = { client: { query } as unknown as LoadClient, target: TARGET, isHere };
  return {
    command,
    runs: () => runs,
    prove: () => provenUse(command, place, run, new AbortController().signal),
  };
}

it.each([
  [1, 1, true],
  [3, 400, true],
  [0, 0, false],
  [2, 0, false],
  [0, 5, false],
])('a command of %i logins and %i statements used the server: %s', async (logins, questions, isUsed) => {
  const proof = serverWith({ logins, questions }).prove();
  if (isUsed) expect(await proof).toBe(12);
  else await expect(proof).rejects.toMatchObject({ code: 'COMMAND_ELSEWHERE' });
});

it('a command that used another server is not run again, until a run tries it again', async () => {
  const { command, runs, prove } = serverWith({ logins: 0, questions: 0 });
  await expect(prove()).rejects.toMatchObject({ code: 'COMMAND_ELSEWHERE' });
  await expect(prove()).rejects.toMatchObject({ code: 'COMMAND_ELSEWHERE' });
  expect(runs()).toBe(1);
  mayRunAgain(command);
  await expect(prove()).rejects.toMatchObject({ code: 'COMMAND_ELSEWHERE' });
  expect(runs()).toBe(2);
});

it('names the variables that a command may have read, without their values', async () => {
  vi.stubEnv('SHOP_DSN', SECRET);
  vi.stubEnv('LEGACY', `jdbc:${SECRET}`);
  vi.stubEnv('ORDERS_DB_HOST', 'db.example');
  vi.stubEnv('DB_URL', SECRET);
  vi.stubEnv('UNRELATED_URL', 'https://example.org');
  const named = async (isHere: boolean): Promise<unknown> => {
    const { prove } = serverWith({ logins: 0, questions: 0 }, isHere);
    return prove().catch((error: unknown) => error);
  };
  const here = await named(true);
  const names = (names: string) => expect.objectContaining({ params: { names } }) as unknown;
  expect(here).toMatchObject({
    evidence: [
      names(expect.stringContaining('DATABASE_URL') as string),
      names('LEGACY, ORDERS_DB_HOST, SHOP_DSN'),
    ],
  });
  expect(JSON.stringify(here)).not.toContain('secret');
  // A container has none of these variables.
  expect(JSON.stringify(await named(false))).not.toContain('SHOP_DSN');
});
