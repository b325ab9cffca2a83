import { execFile, execFileSync } from 'node:child_process';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { realBench } from '../helpers/bench.ts';

const IMAGE = process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? 'mariadb:11.8';
/** The project's password. */
const CANARY = 'canary-9tV2';
const DUMP = "INSERT INTO item VALUES (1, 'a'), (2, 'b');\n";

const bench = realBench();
let shop = '';

beforeAll(async () => {
  shop = join(bench.dataDir, 'shop');
  await cp('tests/fixtures/first-start', shop, { recursive: true });
});

interface Said {
  exitCode: number;
  stdout: string;
  stderr: string;
}

async function timedStart(dump: string, ...args: string[]) {
  await writeFile(join(shop, 'initdb', '02-dump.sql.gz'), gzipSync(dump));
  const words = ['time', 'ready', '--setup', join(shop, 'compose.yaml'), '--set', 'schedule.rounds=1'];
  const env = { ...process.env, WHALEMARK_HOME: bench.dataDir, DB_IMAGE: IMAGE, DB_PASSWORD: CANARY };
  const all = ['out/cli/whalemark.cjs', ...words, ...args];
  const { exitCode, stdout, stderr } = await new Promise<Said>((resolve) => {
    execFile(process.execPath, all, { env }, (error, stdout, stderr) =>
      resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
  expect(stdout + stderr).not.toContain(CANARY);
  return { exitCode, stdout, stderr };
}

async function textsBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n');
}

const resultSchema = z.looseObject({
  state: z.looseObject({
    trials: z.array(
      z.looseObject({
        scenarioId: z.string(),
        evidence: z.looseObject({
          start: z.record(z.string(), z.number()),
          initScripts: z.array(z.object({ name: z.string(), ms: z.number() })).optional(),
        }),
      }),
    ),
  }),
});

it('times a first start with the project’s own scripts, and writes what its health check needs', async () => {
  const out = join(bench.dataDir, 'out');
  const { exitCode, stdout, stderr } = await timedStart(DUMP, '--override', '--output', out);
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toMatch(/start_period: \d+s and retries: 3, because the only first start took/);

  const { trials } = resultSchema.parse(JSON.parse(await readFile(join(out, 'result.json'), 'utf8'))).state;
  expect(trials.map(({ scenarioId }) => scenarioId.split('.')[0]).sort()).toEqual([
    ...['first-start', 'image-layer', 'later-start'],
  ]);
  const scripts = trials.flatMap(({ evidence }) => evidence.initScripts ?? []);
  // A shared result doesn't have the names of the user's files.
  expect(scripts.map(({ name }) => name)).toEqual(['script 1.sql', 'script 2.sql.gz', 'script 3.sh']);
  const [first] = trials.filter(({ scenarioId }) => scenarioId.startsWith('first-start'));
  for (const part of ['temporaryServer', 'shellScripts', 'sqlFiles'])
    expect(first?.evidence.start[part]).toBeGreaterThan(0);

  expect(await readFile(join(shop, 'compose.whalemark.yaml'), 'utf8')).toMatch(
    /healthcheck:\n +start_period: \d+s\n +retries: 3\n/,
  );
  const volumes = execFileSync('docker', ['volume', 'ls', '--quiet'], { encoding: 'utf8' });
  expect(volumes).not.toContain('shop_data');
  for (const folder of ['runs', 'logs', 'out'])
    expect(await textsBelow(join(bench.dataDir, folder))).not.toMatch(new RegExp(`${CANARY}|said with`));
});

it('names the script that fails, with what the server says', async () => {
  const { exitCode, stdout, stderr } = await timedStart('INSERT INTO nothing VALUES (1);\n');
  expect([exitCode, `${stdout}${stderr}`]).toEqual([
    EXIT.nothingMeasured,
    expect.stringMatching(/02-dump\.sql\.gz failed: ERROR 1146 .*at line 1: .*nothing/) as string,
  ]);
});
