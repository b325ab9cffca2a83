import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../../src/benchmark/tasks/command.ts';
import { newFolder } from '../../../helpers/folders.ts';

let folder = '';
let told: string[] = [];
let left: number[] = [];
beforeEach(() => {
  folder = newFolder();
  [told, left] = [[], []];
});

const TARGET = { host: 'h', port: 1, user: 'u', password: 'p', database: 'd' };
const NODE = [process.execPath, '-e'];

function run(words: string[], { limitSeconds = 600, signal = new AbortController().signal } = {}) {
  const tell = (lines: string[]): void => void told.push(...lines);
  return runCommand({ words, folder, limitSeconds, tell }, TARGET, (pids) => left.push(...pids), signal);
}

/** Starts two processes that never end, one of them in a new session, and writes their ids to `pids`. */
const FORKS = `
const { spawn } = require('node:child_process');
const pids = [true, false].map((detached) => spawn('sleep', ['1000000'], { detached, stdio: 'inherit' }).pid);
require('node:fs').writeFileSync('pids', pids.join(' '));
`;

function isAlive(pid: number): boolean {
  try {
    // A zombie has ended, though the system's first process may not have looked.
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const started = (): number[] => readFileSync(join(folder, 'pids'), 'utf8').split(' ').map(Number);
const failure = (code: string, params = {}) => ({
  code: 'TASK_FAILED',
  params: { reason: expect.objectContaining({ code, ...params }) as unknown },
});

/** Leaves the command as `env -i setsid` does: nothing connects the child to it but its parent. */
const LOSES_ALL = `
const { spawn } = require('node:child_process');
const child = spawn('setsid', ['sleep', '1000000'], { stdio: 'ignore', env: { PATH: process.env.PATH } });
require('node:fs').writeFileSync('pids', String(child.pid));
child.unref();
`;

describe.runIf(process.platform === 'linux')('what a command leaves behind', () => {
  it('is ended', async () => {
    expect(await run([...NODE, `${FORKS} process.exit(0);`])).toBeGreaterThan(0);
    expect(started()).toHaveLength(2);
    await expect.poll(() => started().filter(isAlive)).toEqual([]);
  });

  it('is ended also if it has left group, session, and environment', async () => {
    await run([...NODE, `${LOSES_ALL} setTimeout(() => process.exit(0), 1000);`]);
    await expect.poll(() => started().filter(isAlive)).toEqual([]);
    expect(left).toEqual([]);
  });

  it('is named at least, however soon its parent ends', async () => {
    await run([...NODE, `${LOSES_ALL} process.exit(0);`]);
    await expect.poll(() => started().filter((pid) => isAlive(pid) && !left.includes(pid))).toEqual([]);
    for (const pid of started().filter(isAlive)) process.kill(pid, 'SIGKILL');
  });

  it('is ended with a command that never ends, which tells what it said last', async () => {
    const endless = [...NODE, `${FORKS} console.log('waiting'); setInterval(() => 0, 1000);`];
    await expect(run(endless, { limitSeconds: 2 })).rejects.toMatchObject(
      failure('task.limit', { params: { seconds: 2 } }),
    );
    await expect.poll(() => started().filter(isAlive)).toEqual([]);
    expect(told).toEqual(['waiting']);
  });
});

it('keeps the last lines of more than a string can hold', { tags: ['full'] }, async () => {
  const GIGABYTE = `
const line = 'x'.repeat(2 ** 20 - 1) + '\\n';
let left = 1024;
const write = () => { while (left-- > 0) if (!process.stdout.write(line)) return process.stdout.once('drain', write);
  console.error('the ünd'); process.exitCode = 3; };
write();`;
  await expect(run([...NODE, GIGABYTE])).rejects.toMatchObject(failure('task.exit', { params: { code: 3 } }));
  expect(told.at(-1)).toBe('the ünd');
  expect(Math.max(...told.map(({ length }) => length))).toBeLessThanOrEqual(500);
});

it('gives a command no terminal: it fails at once, with its own words', async () => {
  const ASKS = `try { require('node:fs').openSync('/dev/tty') } catch { console.log('no tty', process.stdin.isTTY === true); process.exit(1) }`;
  await expect(run([...NODE, ASKS])).rejects.toMatchObject(failure('task.exit', { params: { code: 1 } }));
  expect(told).toEqual(['no tty false']);
});

it('names a program that is not there, or can’t be started', async () => {
  await expect(run(['whalemark-has-no-such-program'])).rejects.toMatchObject(failure('task.noProgram'));
  await expect(run([folder])).rejects.toMatchObject(failure('task.notStarted'));
});
