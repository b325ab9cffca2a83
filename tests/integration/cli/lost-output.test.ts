import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RunStore } from '../../../src/benchmark/store/run-store.ts';
import { leftOf, realRuntime, temporaryHome } from '../helpers/bench.ts';
import { takingTurns } from '../../helpers/taking-turns.ts';

const SAMPLE = 'tests/fixtures/results/sample-result.json';
/** The two paths of one storage, in rounds of seconds. */
const RUN = [
  ...['run', 'docker-options', '--connections', '2'],
  ...takingTurns(5),
  ...['--set', 'workload={"tables":1,"tableSize":1000}', '--set', 'server.image=mariadb:11.8'],
  ...['--set', 'server.settings.bufferPool=64', '--set', 'server.settings.redoLogMiB=64'],
  ...['--set', 'grid={"storages":["named-volume"],"paths":["published-port"]}', '--set', 'aaCheck=false'],
];

describe('the terminal twin whose output goes away', () => {
  let home: Awaited<ReturnType<typeof temporaryHome>>;
  beforeEach(async () => {
    home = await temporaryHome();
  });
  afterEach(() => home.remove());

  /** The command in its own shell, which tells the exit code through a pipe that ends with the last process. */
  function withExitCode(args: string[], redirected = ''): string {
    const words = [process.execPath, 'out/cli/whalemark.cjs', ...args].map((word) => `'${word}'`);
    return `(trap : HUP INT; ${words.join(' ')} ${redirected}; echo $? >&3)`;
  }

  function start(program: string, args: string[]): ChildProcess {
    return spawn(program, args, {
      env: { ...process.env, WHALEMARK_HOME: home.dataDir },
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
  }

  async function nothingIsLeft(): Promise<void> {
    const [runId = ''] = await readdir(join(home.dataDir, 'runs'));
    expect(await leftOf(await realRuntime(), runId)).toEqual([]);
    expect((await new RunStore(home.dataDir).load(runId)).status).toBe('finished');
  }

  it('measures to the end when somebody reads the first line only', { tags: ['full'] }, async () => {
    const shell = start('sh', [
      '-c',
      `${withExitCode([...RUN, '--set', 'schedule.rounds=2'], '2>&1')} | head -n 1`,
    ]);
    expect(await exitCodeOf(shell)).toBe(0);
    await nothingIsLeft();
  });

  it('ends with 0 when nobody reads its answer, and with 4 when the disk takes none of it', async () => {
    const report = ['report', SAMPLE, 'html'];
    expect(await exitCodeOf(start('sh', ['-c', `${withExitCode(report)} | true`]))).toBe(0);
    const full = start('sh', ['-c', withExitCode(report, '> /dev/full')]);
    const told = untilPrinted(full.stderr, /\[EXPORT_FAILED\]/);
    expect(await exitCodeOf(full)).toBe(4);
    await told;
  });
});

/** Exit code of the command, once the last process of its shell has ended. */
async function exitCodeOf({ stdio }: ChildProcess): Promise<number> {
  const pipe = stdio[3] as Readable;
  let text = '';
  pipe.on('data', (part: Buffer) => (text += part.toString()));
  await once(pipe, 'close');
  return Number.parseInt(text, 10);
}

/** Resolves when something that matches was printed. */
function untilPrinted(output: Readable | null, pattern: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    output?.on('data', (part: Buffer) => {
      text += part.toString();
      if (pattern.test(text)) resolve();
    });
    output?.on('close', () => reject(new Error(`ended before it printed ${String(pattern)}:\n${text}`)));
  });
}
