import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { CommandedClient } from '../../../../../src/benchmark/load/client/clients.ts';
import { awaitCommander, relay } from '../../../../../src/benchmark/load/client/tcp-commander.ts';
import { serveCommands } from '../../../../../src/benchmark/load/client/command-server.ts';

const TOKEN = 'the-token';

/** A client that waits for whoever knows the token. */
async function waitingClient(waitMs = 10_000): Promise<{ port: number; commander: Promise<Socket> }> {
  let listening: (port: number) => void = () => undefined;
  const port = new Promise<number>((resolve) => (listening = resolve));
  const commander = awaitCommander({ port: 0, token: TOKEN, waitMs, onListening: (one) => listening(one) });
  commander.catch(() => undefined);
  return { port: await port, commander };
}

function connect(port: number): Socket {
  return createConnection({ host: '127.0.0.1', port });
}

describe('a client that is commanded over TCP', () => {
  it('goes with the first that shows the token, and keeps what follows it', async () => {
    const { port, commander } = await waitingClient();
    const socket = connect(port);
    socket.write(TOKEN.slice(0, 4));
    socket.write(`${TOKEN.slice(4)}\nfirst command\n`);
    const accepted = await commander;
    socket.end('second\n');
    expect(await text(accepted)).toBe('first command\nsecond\n');
    // Nobody else gets in.
    await expect(once(connect(port), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each([
    ['another token', 'another\n'],
    ['none', '\n'],
    ['the token with more', `${TOKEN}x\n`],
    ['a line without an end', 'x'.repeat(300)],
  ])('hangs up on %s without a word, and goes on waiting', async (_, said) => {
    const { port, commander } = await waitingClient();
    const stranger = connect(port);
    stranger.on('error', () => undefined);
    let heard = '';
    stranger.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    const closed = once(stranger, 'close').catch(() => undefined);
    stranger.write(said);
    await closed;
    expect(heard).toBe('');
    const friend = connect(port);
    friend.write(`${TOKEN}\n`);
    (await commander).destroy();
    friend.destroy();
  });

  it('gives up when nobody comes, and hangs up on whoever is still there', async () => {
    const { port, commander } = await waitingClient(100);
    const silent = connect(port);
    silent.on('error', () => undefined).resume();
    const closed = once(silent, 'close');
    await expect(commander).rejects.toThrow('nobody came');
    await closed;
  });

  it('is a load generator behind a relay like any other', async () => {
    const { port, commander } = await waitingClient();
    const served = commander.then((socket) =>
      serveCommands({ input: socket, output: socket, workerFile: 'none' }).finally(() => socket.end()),
    );
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const ended = relay({ host: '127.0.0.1', port, input: stdin, output: stdout, budgetMs: 5000 });
    stdin.write(`${TOKEN}\n`);
    const loadGenerator = new CommandedClient({ stdin, stdout, stderr, ended });
    const target = { host: '127.0.0.1', port: 9, user: 'u', password: 'p', database: 'd' };
    const { signal } = new AbortController();
    await expect(
      loadGenerator.check(target, { path: 'overlay', budgetMs: 1, times: 1, signal }),
    ).rejects.toMatchObject({ code: 'PATH_NO_TRAFFIC' });
    // The end of Whalemark's side ends the client, and the client's end the relay.
    stdin.end();
    await served;
    await ended;
  });

  it('is waited for by the relay, but not for ever', async () => {
    const { port, commander } = await waitingClient();
    const friend = connect(port);
    friend.write(`${TOKEN}\n`);
    (await commander).destroy();
    friend.destroy();
    const streams = { input: new PassThrough(), output: new PassThrough() };
    await expect(relay({ host: '127.0.0.1', port, ...streams, budgetMs: 300 })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });
});
