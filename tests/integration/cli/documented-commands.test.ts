import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { datasetCache } from '../../../src/benchmark/dataset/dataset-cache.ts';
import {
  DOCUMENTED_COMMANDS,
  FOLDER,
  twinArguments,
  type Place,
} from '../../unit/docs/support/documented-commands.ts';
import { realRuntime } from '../helpers/bench.ts';

/** Two rounds of one scenario, so that something is left when the first has its number. */
const CUT_SHORT = [
  ...['run', 'compare-my-setup', '--rounds', '2', '--warmup', '0', '--duration', '1'],
  ...['--set', 'server.image=mariadb:11.8', '--set', 'noiseFloor=false'],
  ...['--set', 'server.settings.bufferPool=64', '--set', 'server.settings.redoLogMiB=64'],
  ...['--set', 'workload.tables=1', '--set', 'workload.tableSize=1000'],
  ...['--set', 'grid={"storages":["named-volume"],"paths":["published-port"]}'],
];

describe('the commands of the pages', () => {
  let folder = '';
  let places: Record<Place, string> | undefined;
  const datasetDir = (): string => join(folder, 'datasets');

  /** `onSaid` sees all that was said so far, whenever there is more. */
  async function execute(
    program: string,
    args: readonly string[],
    options: { cwd: string; onSaid?: (said: string, end: () => void) => void },
  ): Promise<{ code: number | null; said: string; stdout: string }> {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: {
        ...process.env,
        WHALEMARK_HOME: join(folder, 'home'),
        WHALEMARK_DATASETS: datasetDir(),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [said, stdout] = ['', ''];
    const hear = (part: Buffer): void => {
      said += part.toString();
      options.onSaid?.(said, () => child.kill('SIGKILL'));
    };
    child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    const code = await new Promise<number | null>((done, fail) => {
      child.on('error', fail);
      child.on('close', done);
    });
    return { code, said, stdout };
  }

  const whalemark = (
    args: readonly string[],
    onSaid?: (said: string, end: () => void) => void,
  ): ReturnType<typeof execute> =>
    execute(process.execPath, [resolve('out/cli/whalemark.cjs'), ...args], {
      cwd: join(folder, 'work'),
      ...(onSaid === undefined ? {} : { onSaid }),
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whalemark-commands-'));
    const work = join(folder, 'work');
    await mkdir(work);
    await cp('presets/compare-my-setup.yaml', join(work, 'preset.yaml'));
    await writeFile(join(work, 'my.cnf'), '[mysqld]\ninnodb_io_capacity = 300\n');
    expect((await whalemark(['presets', 'duplicate', 'compare-my-setup', 'mine'])).code).toBe(0);

    const { attempts } = z
      .object({ attempts: z.array(z.object({ id: z.string(), chosen: z.boolean() })) })
      .parse(JSON.parse((await whalemark(['doctor', '--json'])).stdout));
    const cut = await whalemark(CUT_SHORT, (said, end) => {
      if (/^\[1\/2\]/m.test(said)) end();
    });
    expect(cut.code, cut.said).toBeNull();
    const [runId = ''] = await readdir(join(folder, 'home', 'runs'));
    places = {
      preset: 'compare-my-setup',
      'preset file': 'preset.yaml',
      'kept preset': 'mine',
      workload: 'oltp_write_only',
      'ended early': runId,
      context: attempts.find(({ chosen }) => chosen)?.id ?? '',
      result: resolve('tests/fixtures/results/sample-result.json'),
      'other result': resolve('tests/fixtures/results/sample-result.json'),
    };
  });
  afterAll(async () => {
    await datasetCache(await realRuntime(), { datasetDir: datasetDir(), appVersion: '0.0.0-test' })?.clear();
    await rm(folder, { recursive: true, force: true });
  });

  const entries = Object.entries(DOCUMENTED_COMMANDS);
  // In the order of the table: what is continued and cleaned was made before.
  const twin = entries.flatMap(([command, execution]) =>
    execution.how === 'engine' ? [[command, execution] as const] : [],
  );
  it.each(twin)('“%s” does what it says', async (command, execution) => {
    if (places === undefined) throw new Error('only behind beforeAll');
    const { code, said } = await whalemark(twinArguments(command, execution, places));
    expect(said).toMatch(execution.says);
    expect(code, said).toBe(0);
  });

  const scripts = entries.flatMap(([command, execution]) =>
    execution.how === 'npm' ? [[command, execution] as const] : [],
  );
  it.each(scripts)('“%s” does what it says', async (command, execution) => {
    const [npm = '', ...args] = command.split(' ');
    const more = (execution.append ?? []).map((one) => (one === FOLDER ? join(folder, 'made') : one));
    const { code, said } = await execute(npm, [...args, ...more], { cwd: resolve('.') });
    expect(said).toMatch(execution.says);
    expect(code, said).toBe(0);
  });

  it('“npm run whalemark --” is the terminal twin of the source', async () => {
    const { code, stdout } = await execute('npm', ['run', '--silent', 'whalemark', '--', '--help'], {
      cwd: resolve('.'),
    });
    expect(code).toBe(0);
    expect(stdout).toBe((await whalemark(['--help'])).stdout);
  });
});
