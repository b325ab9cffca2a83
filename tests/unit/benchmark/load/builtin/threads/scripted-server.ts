import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** Answers each packet with the next answer, then hangs up. It runs in a thread, since the tests' own thread blocks. */
const PROGRAM = `
const { createServer } = require('node:net');
const { parentPort, workerData: { answers, chunk } } = require('node:worker_threads');
const server = createServer((socket) => {
  socket.setNoDelay(true);
  let next = 0;
  socket.on('data', () => {
    const answer = answers[next++];
    if (answer === undefined) return socket.destroy();
    const size = chunk ?? (answer.length || 1);
    const send = (at) => {
      socket.write(answer.subarray(at, at + size), () => at + size < answer.length && setImmediate(send, at + size));
    };
    send(0);
  });
  socket.on('error', () => undefined);
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

export interface ScriptedServer {
  /** File descriptor of a blocking connection to it. */
  socket: number;
  close(): Promise<void>;
}

/** `chunk`: bytes that are sent at a time. */
export async function startScriptedServer(
  answers: readonly Buffer[],
  chunk?: number,
): Promise<ScriptedServer> {
  const thread = new Worker(PROGRAM, { eval: true, workerData: { answers, chunk } });
  const [port] = (await once(thread, 'message')) as [number];
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  return {
    socket: blocking(socket),
    close: async () => {
      socket.destroy();
      await thread.terminate();
    },
  };
}

function blocking(socket: Socket): number {
  const handle = Reflect.get(socket, '_handle') as { fd: number; setBlocking(isBlocking: boolean): number };
  if (handle.setBlocking(true) !== 0) throw new Error('the socket does not block');
  return handle.fd;
}
