import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Waits for a lock as flock(1) takes it; what comes back gives it free. */
export async function lock(file: string): Promise<() => Promise<void>> {
  const holder = spawn('flock', [file, 'sh', '-c', 'echo held; read -r _'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  const exited = once(holder, 'exit');
  return async () => {
    holder.stdin.end();
    await exited;
  };
}
