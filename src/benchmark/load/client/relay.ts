import { createConnection, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

/** An attempt on a network where nobody has the address yet may hang instead of failing. */
const ATTEMPT_MS = 2000;
const PAUSE_MS = 200;

/**
 * Passes bytes on between our standard streams and a client on another node, which may have to start first: so it is
 * tried again for `budgetMs`. Resolves when either side has ended. Rejects when nobody answers.
 */
export async function relay(options: {
  host: string;
  port: number;
  input: Readable;
  output: Writable;
  budgetMs: number;
}): Promise<void> {
  const { input, output } = options;
  const socket = await connect(options);
  socket.setKeepAlive(true, 5000);
  socket.setNoDelay(true);
  await new Promise<void>((resolve) => {
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
    // Who has nothing more to say still hears the end of the other.
    input.pipe(socket);
    socket.pipe(output, { end: false });
  });
}

async function connect({
  host,
  port,
  budgetMs,
}: {
  host: string;
  port: number;
  budgetMs: number;
}): Promise<Socket> {
  const start = performance.now();
  for (;;) {
    try {
      return await attempt(host, port);
    } catch (error) {
      if (performance.now() - start > budgetMs) throw error;
    }
    // Neither the name nor the port tells when it will be there.
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function attempt(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host, port, family: 4 });
    const fail = (error: Error): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(new Error('no answer')), ATTEMPT_MS);
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}
