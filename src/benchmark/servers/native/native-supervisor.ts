import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const SPAWNED = 'whalemark: spawned';

/** The program dies when its own stdin ends; each line of that is a signal. */
const SUPERVISOR = `
const { spawn } = require('node:child_process');
const [binary, ...args] = process.argv.slice(1);
const env = { ...process.env };
delete env.ELECTRON_RUN_AS_NODE;
const child = spawn(binary, args, { stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true, env });
child.on('spawn', () => console.error('${SPAWNED}'));
child.on('error', (error) => { console.error(binary + ': ' + error.message); process.exit(127); });
child.on('exit', (code) => process.exit(code ?? 137));
process.stdin.on('data', (data) => { for (const name of String(data).split('\\n')) if (name !== '') child.kill(name); });
process.stdin.on('error', () => child.kill('SIGKILL'));
process.stdin.on('end', () => child.kill('SIGKILL'));
`;

export interface Supervised {
  ended: Promise<number>;
  isAlive(): boolean;
  signal(...names: NodeJS.Signals[]): void;
  kill(): void;
}

export function supervise(
  binary: string,
  args: string[],
  options: {
    cwd: string;
    env: Record<string, string>;
    onLine: (line: string) => void;
    onSpawned?: () => void;
  },
): Supervised {
  const child = spawn(process.execPath, ['-e', SUPERVISOR, '--', binary, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl+C must not reach the server.
    detached: process.platform !== 'win32',
    windowsHide: true,
    cwd: options.cwd,
    env: { ...process.env, ...options.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  let alive = true;
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      if (line === SPAWNED) options.onSpawned?.();
      else options.onLine(line);
    });
  }
  child.stdin.on('error', () => undefined);
  const ended = new Promise<number>((resolve) => {
    child.once('error', (error) => {
      options.onLine(error.message);
      alive = false;
      resolve(127);
    });
    child.once('close', (code) => {
      alive = false;
      resolve(code ?? 137);
    });
  });
  return {
    ended,
    isAlive: () => alive,
    signal: (...names) => void child.stdin.write(names.map((name) => `${name}\n`).join('')),
    kill: () => child.stdin.end(),
  };
}
