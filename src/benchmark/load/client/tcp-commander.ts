import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

const TOKEN_MS = 5000;
const MAX_TOKEN_BYTES = 200;

export async function awaitCommander(options: {
  port: number;
  token: string;
  waitMs: number;
  onListening?: (port: number) => void;
}): Promise<Socket> {
  const server = createServer();
  const others = new Set<Socket>();
  try {
    return await new Promise<Socket>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('nobody came with the token')), options.waitMs);
      server.on('error', reject);
      server.on('connection', (socket) => {
        others.add(socket);
        socket.on('error', () => undefined);
        socket.once('close', () => others.delete(socket));
        void showsToken(socket, options.token).then((shown) => {
          if (!shown) {
            socket.destroy();
            return;
          }
          clearTimeout(timer);
          others.delete(socket);
          resolve(socket);
        });
      });
      server.listen(options.port, () => options.onListening?.(portOf(server)));
    });
  } finally {
    server.close();
    for (const socket of others) socket.destroy();
  }
}

async function showsToken(socket: Socket, token: string): Promise<boolean> {
  const late = AbortSignal.timeout(TOKEN_MS);
  let seen = Buffer.alloc(0);
  try {
    for (;;) {
      await once(socket, 'readable', { signal: late });
      const chunk: unknown = socket.read();
      if (!(chunk instanceof Buffer)) {
        if (socket.readableEnded || socket.destroyed) return false;
        continue;
      }
      seen = Buffer.concat([seen, chunk]);
      const end = seen.indexOf(0x0a);
      if (end < 0 && seen.length <= MAX_TOKEN_BYTES) continue;
      if (end < 0 || !equal(seen.subarray(0, end), Buffer.from(token))) return false;
      const rest = seen.subarray(end + 1);
      if (rest.length > 0) socket.unshift(rest);
      return true;
    }
  } catch {
    return false;
  }
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  const digest = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
  return timingSafeEqual(digest(a), digest(b));
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const ATTEMPT_MS = 2000;
const PAUSE_MS = 200;

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
