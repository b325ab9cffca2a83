import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  DOCUMENTED_COMMANDS,
  twinArguments,
  type Place,
} from '../../../scripts/lint-docs/documented-commands.ts';
import { datasetCache } from '../../../src/benchmark/servers/dataset/dataset-cache.ts';
import { takingTurns } from '../../helpers/taking-turns.ts';
import { realRuntime } from '../helpers/bench.ts';

const SAMPLE = resolve('tests/fixtures/results/sample-result.json');
/** No other may replace them. */
const IMAGES = {
  'MySQL image': process.env['WHALEMARK_TEST_MYSQL_IMAGE'] ?? 'mysql:8.4',
  'MariaDB image': process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? 'mariadb:11.8',
};

/** Two rounds of one scenario, so that something is left when the first has its number. */
const CUT_SHORT = [
  ...['run', 'docker-options'],
  ...takingTurns(2),
  ...['--set', 'server.image=mariadb:11.8', '--set', 'aaCheck=false'],
  ...['--set', 'server.settings.bufferPool=64', '--set', 'server.settings.redoLogMiB=64'],
  ...['--set', 'workload.tables=1', '--set', 'workload.tableSize=1000'],
  ...['--set', 'grid={"storages":["named-volume"],"paths":["published-port"]}'],
];

/** Commands in the order of the table: earlier ones make what later ones use. */
const commands = (how: 'here' | 'engine') =>
  Object.entries(DOCUMENTED_COMMANDS).filter(([, execution]) => execution.how === how);

/** A folder to work in and a data folder, and how to run the terminal there. */
function terminal() {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whalemark-commands-'));
    await mkdir(join(folder, 'work'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return {
    work: (...path: string[]) => join(folder, 'work', ...path),
    home: (...path: string[]) => join(folder, 'home', ...path),
    datasets: () => join(folder, 'datasets'),
    /** `onSaid` gets all output so far, whenever there is more. */
    async whalemark(
      args: readonly string[],
      options: {
        env?: Record<string, string>;
        input?: string;
        onSaid?: (said: string, end: () => void) => void;
      } = {},
    ): Promise<{ code: number | null; said: string; stdout: string }> {
      const child = spawn(process.execPath, [resolve('out/cli/whalemark.cjs'), ...args], {
        cwd: join(folder, 'work'),
        env: {
          ...process.env,
          WHALEMARK_HOME: join(folder, 'home'),
          WHALEMARK_DATASETS: join(folder, 'datasets'),
          ...options.env,
        },
      });
      let [said, stdout] = ['', ''];
      const hear = (part: Buffer): void => {
        said += part.toString();
        options.onSaid?.(said, () => child.kill('SIGKILL'));
      };
      child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.stdin.end(options.input ?? '');
      const code = await new Promise<number | null>((done, fail) => {
        child.on('error', fail);
        child.on('close', done);
      });
      return { code, said, stdout };
    },
  };
}

describe('the commands of the pages', { tags: ['full'] }, () => {
  describe('that need no engine', () => {
    const { whalemark, work, home } = terminal();
    const places: Record<Place, string> = {
      'preset file': resolve('presets/docker-options.yaml'),
      'kept preset': 'mine',
      'ended early': '20260102-030405-abc',
      result: 'whalemark-report/result.json',
      'other result': SAMPLE,
      ...IMAGES,
    };
    beforeAll(async () => {
      await mkdir(work('whalemark-report'));
      await cp(SAMPLE, work('whalemark-report', 'result.json'));
      await mkdir(work('results'));
      for (const name of ['ana', 'kim']) await cp(SAMPLE, work('results', `${name}.whalemark`));
      await cp('tests/fixtures/sysbench/1.0-real-plain.txt', work('sysbench.log'));
      const { state } = z
        .object({ state: z.object({ runId: z.string() }) })
        .parse(JSON.parse(await readFile(SAMPLE, 'utf8')));
      await mkdir(home('runs', state.runId), { recursive: true });
      await cp(SAMPLE, home('runs', state.runId, 'result.json'));
    });

    it.each(commands('here'))('“%s” does what it says', async (command, execution) => {
      const { code, said } = await whalemark(twinArguments(command, execution, places), {
        env: { DOCKER_HOST: 'unix:///nonexistent.sock' },
        ...(execution.input === undefined ? {} : { input: await readFile(execution.input, 'utf8') }),
      });
      expect(said).toMatch(execution.says);
      expect(code, said).toBe(execution.exitCode ?? 0);
    });

    it('leave the files that they name', async () => {
      expect(await readdir(work())).toEqual(
        expect.arrayContaining([
          'board.html',
          'card.png',
          'mine.yaml',
          'report.html',
          'report.zh-CN.html',
          'result.whalemark',
        ]),
      );
    });
  });

  describe('that need one', () => {
    const { whalemark, work, home, datasets } = terminal();
    let places: Record<Place, string> | undefined;

    beforeAll(async () => {
      await cp('presets/docker-options.yaml', work('preset.yaml'));
      await writeFile(work('my.cnf'), '[mysqld]\ninnodb_io_capacity = 300\n');
      await mkdir(work('data'));
      await writeFile(work('dump.sql.gz'), gzipSync('CREATE TABLE t (id INT);\n'));
      await writeFile(work('schema.sql'), 'CREATE TABLE t (id INT);\n');
      await writeFile(
        work('compose.yaml'),
        'services:\n  db:\n    image: mariadb:11.8\n    ports: ["3306:3306"]\n    volumes: ["./data:/var/lib/mysql"]\n',
      );
      expect((await whalemark(['presets', 'duplicate', 'docker-options', 'mine'])).code).toBe(0);
      const cut = await whalemark(CUT_SHORT, {
        onSaid: (said, end) => {
          if (/^\[ ?1\b/m.test(said)) end();
        },
      });
      expect(cut.code, cut.said).toBeNull();
      const [runId = ''] = await readdir(home('runs'));
      places = {
        'preset file': 'preset.yaml',
        'kept preset': 'mine',
        'ended early': runId,
        result: SAMPLE,
        'other result': SAMPLE,
        ...IMAGES,
      };
    });
    afterAll(async () => {
      await datasetCache(await realRuntime(), {
        datasetDir: datasets(),
        appVersion: '0.0.0-test',
      })?.clear();
    });

    it.each(commands('engine'))('“%s” does what it says', async (command, execution) => {
      if (places === undefined) throw new Error('only after beforeAll');
      const { code, said } = await whalemark(twinArguments(command, execution, places));
      expect(said).toMatch(execution.says);
      expect(code, said).toBe(execution.exitCode ?? 0);
    });
  });
});
