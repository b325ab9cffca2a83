import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface Screen {
  /** What a program needs to show itself there. */
  env: Record<string, string>;
  close: () => Promise<void>;
}

/**
 * A virtual screen of its own on Linux, so that two apps at a time share neither focus nor clipboard, and nobody at the machine is
 * disturbed; elsewhere the screen that there is.
 */
export async function openScreen(): Promise<Screen> {
  if (process.platform !== 'linux') return { env: {}, close: () => Promise.resolve() };
  // It chooses a free number and tells it as soon as it can be used.
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1920x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));
  const number = await new Promise<string>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code) =>
      reject(new Error(`Xvfb ended with ${code} before its screen could be used`)),
    );
    (server.stdio[3] as Readable).once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
  return {
    env: { DISPLAY: `:${number}` },
    close: async () => {
      server.kill();
      await ended;
    },
  };
}
