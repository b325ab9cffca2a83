import { Socket } from 'node:net';
import { PassThrough, Readable, Writable, type Duplex } from 'node:stream';
import * as z from 'zod';
import { msg, type Said } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Attachment } from '../specs.ts';
import { ContainerPauses } from './container-pauses.ts';
import { dial } from './engine-client.ts';
import { engineError, engineLost } from './engine-error.ts';
import { Demultiplexer, LineSplitter, type Channel } from './multiplex.ts';
import { SshConnection } from '../ssh/ssh-connection.ts';

const EXEC_DEADLINE_MS = 10 * 60_000;
/** An image's program may print endlessly. */
const EXEC_BYTES = 2 ** 24;
const COPY_DEADLINE_MS = 60 * 60_000;
/** An exec's stream ends before its exit code is available. */
const EXEC_EXIT_RETRIES = 50;
const EXEC_EXIT_RETRY_MS = 20;

const execStateSchema = z.object({ Running: z.boolean(), ExitCode: z.number().nullish() });

export class ContainerStreams extends ContainerPauses {
  /** `since` is a state's `startedAt`. */
  async followLogs(
    id: string,
    onLine: (line: string) => void,
    options: { signal: AbortSignal; since?: string },
  ): Promise<void> {
    const { signal, since } = options;
    const action = msg('action.followLog');
    const splitter = new LineSplitter(onLine);
    const demultiplexer = new Demultiplexer(rejectingSystem(action, (...frame) => splitter.push(...frame)));
    try {
      const stream = await this.client.call(
        action,
        (abortSignal) =>
          this.client.docker.getContainer(id).logs({
            follow: true,
            stdout: true,
            stderr: true,
            ...(since === undefined ? {} : { since: logTime(since) }),
            abortSignal,
          }),
        { signal },
      );
      for await (const chunk of abortable(stream, signal)) demultiplexer.push(chunk);
    } catch (error) {
      if (!signal.aborted) throw engineError(error, action);
    } finally {
      splitter.end();
    }
  }

  /** Resolves when the container is paused and `isMeant` agrees. Rejects if `signal` aborts or events end. */
  async waitPaused(id: string, signal: AbortSignal, isMeant = () => Promise.resolve(true)): Promise<void> {
    const action = 'wait for events';
    const stream = await this.client.call(
      action,
      (abortSignal) =>
        this.client.docker.getEvents({
          filters: { type: ['container'], container: [id], event: ['pause'] },
          abortSignal,
        }),
      { signal },
    );
    let heard = 0;
    const splitter = new LineSplitter((line) => {
      if (line.trim() !== '') heard += 1;
    });
    try {
      // A pause may come before the stream.
      if ((await this.#isPaused(id, signal)) && (await isMeant())) return;
      for await (const chunk of abortable(stream, signal)) {
        splitter.push('stdout', chunk);
        for (; heard > 0; heard--) if (await isMeant()) return;
      }
    } finally {
      // An open stream would keep this process alive.
      if (stream instanceof Readable) stream.destroy();
    }
    throw engineLost(action, 'the stream of events ended');
  }

  async #isPaused(id: string, signal: AbortSignal): Promise<boolean> {
    const inspect = (abortSignal: AbortSignal) =>
      this.client.docker.getContainer(id).inspect({ abortSignal });
    return (await this.client.call(msg('action.inspectContainer'), inspect, { signal })).State.Paused;
  }

  async logTail(id: string, lines: number): Promise<string[]> {
    const action = msg('action.readLog');
    const bytes = await this.client.call(action, (abortSignal) =>
      this.client.docker
        .getContainer(id)
        .logs({ follow: false, stdout: true, stderr: true, tail: lines, abortSignal }),
    );
    const tail: string[] = [];
    const splitter = new LineSplitter((line) => tail.push(line));
    new Demultiplexer((...frame) => splitter.push(...frame)).push(Buffer.from(bytes));
    splitter.end();
    return tail.slice(-lines);
  }

  /** Call before `start`, or output is lost. An unread `stdout` blocks the container. */
  async attach(id: string): Promise<Attachment> {
    const action = msg('action.attach');
    const socket = upgraded(
      await this.client.call(action, (abortSignal) =>
        dial(this.client.docker, {
          path: `/containers/${id}/attach?`,
          method: 'POST',
          options: { stream: true, stdin: true, stdout: true, stderr: true },
          // dockerode's own method sends a body, which Podman would pass to the container's stdin.
          file: Buffer.alloc(0),
          isStream: true,
          hijack: true,
          abortSignal,
          statusCodes: { 200: true, 404: 'no such container', 500: 'server error' },
        }),
      ),
      action,
    );
    const stdout = new PassThrough();
    const stderr = new PassThrough();
    const demultiplexer = new Demultiplexer((channel, bytes) => {
      const room = (channel === 'stdout' ? stdout : stderr).write(bytes);
      if (!room && channel === 'stdout') {
        socket.pause();
        stdout.once('drain', () => socket.resume());
      }
    });
    socket.on('data', (chunk: Buffer) => demultiplexer.push(chunk));
    const ended = closed(socket).then(() => {
      stdout.end();
      stderr.end();
    });
    return {
      stdin: toleratingWriter(socket),
      stdout,
      stderr,
      ended,
      close: () => void socket.destroy(),
    };
  }

  async exec(
    id: string,
    command: string[],
    isLong = false,
  ): Promise<{ exitCode: number; stdout: string; stderr: string }> {
    const action = msg('action.exec');
    const exec = await this.client.call(action, (abortSignal) =>
      this.client.docker
        .getContainer(id)
        .exec({ Cmd: command, AttachStdout: true, AttachStderr: true, abortSignal }),
    );
    const output: Record<Channel, Buffer[]> = { stdout: [], stderr: [], system: [] };
    const demultiplexer = new Demultiplexer((channel, bytes) => output[channel].push(bytes));
    let room = EXEC_BYTES;
    await this.client.call(
      action,
      async (abortSignal) => {
        const socket = upgraded(await exec.start({ hijack: true, stdin: false, abortSignal }), action);
        abortSignal.addEventListener('abort', () => void socket.destroy(), { once: true });
        socket.on('data', (chunk: Buffer) => {
          room -= chunk.length;
          if (room < 0) socket.destroy();
          else demultiplexer.push(chunk);
        });
        await closed(socket);
        if (room >= 0) return;
        const reason = `“${command.join(' ')}” printed more than ${EXEC_BYTES / 2 ** 20} MiB`;
        throw new BenchmarkError('ENGINE_REFUSED', { action, reason });
      },
      { deadlineMs: isLong ? null : EXEC_DEADLINE_MS },
    );
    const text = (channel: Channel): string => Buffer.concat(output[channel]).toString('utf8');
    return { exitCode: await this.#execExit(exec, action), stdout: text('stdout'), stderr: text('stderr') };
  }

  async #execExit(
    exec: { inspect(options: { abortSignal: AbortSignal }): Promise<unknown> },
    action: Said,
  ): Promise<number> {
    for (let attempt = 0; attempt < EXEC_EXIT_RETRIES; attempt++) {
      const state = await this.client.made(execStateSchema, action, (abortSignal) =>
        exec.inspect({ abortSignal }),
      );
      if (!state.Running && typeof state.ExitCode === 'number') return state.ExitCode;
      await new Promise((resolve) => setTimeout(resolve, EXEC_EXIT_RETRY_MS));
    }
    throw new BenchmarkError('ENGINE_REFUSED', { action, reason: msg('engine.noExitCode') });
  }

  async getArchive(id: string, path: string): Promise<Readable> {
    const action = msg('action.copyOut');
    const stream = await this.client.call(action, (abortSignal) =>
      this.client.docker.getContainer(id).getArchive({ path, abortSignal }),
    );
    async function* chunks(): AsyncGenerator<Buffer> {
      try {
        for await (const chunk of stream) yield Buffer.from(chunk);
      } catch (error) {
        throw engineError(error, action);
      }
    }
    return Readable.from(chunks(), { objectMode: false });
  }

  async putArchive(id: string, path: string, tar: Readable | Uint8Array): Promise<void> {
    const body = tar instanceof Uint8Array ? Buffer.from(tar.buffer, tar.byteOffset, tar.byteLength) : tar;
    try {
      await this.client.call(
        'copy files into a container',
        // `copyUIDGID` would change all owners.
        (abortSignal) => this.client.docker.getContainer(id).putArchive(body, { path, abortSignal }),
        { deadlineMs: COPY_DEADLINE_MS },
      );
    } catch (error) {
      if (body instanceof Readable) body.destroy();
      throw error;
    }
  }
}

/** The engine notes the start slightly late (observed: 0.2 ms). */
const START_MARGIN_NS = 50_000_000n;

/** '0' if unreadable. */
export function logTime(startedAt: string): string {
  const [, seconds, fraction = '', zone] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)$/.exec(startedAt) ?? [];
  const milliseconds = Date.parse(`${seconds ?? ''}${zone ?? ''}`);
  if (Number.isNaN(milliseconds) || milliseconds <= 0) return '0';
  const time = BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0')) - START_MARGIN_NS;
  return `${time / 1_000_000_000n}.${String(time % 1_000_000_000n).padStart(9, '0')}`;
}

function rejectingSystem(
  action: Said,
  next: (channel: Channel, bytes: Buffer) => void,
): (channel: Channel, bytes: Buffer) => void {
  return (channel, bytes) => {
    if (channel === 'system') {
      throw new BenchmarkError('ENGINE_REFUSED', { action, reason: bytes.toString('utf8').trim() });
    }
    next(channel, bytes);
  };
}

async function* abortable(stream: NodeJS.ReadableStream, signal: AbortSignal): AsyncGenerator<Buffer> {
  const stop = (): void => {
    if (stream instanceof Readable) stream.destroy(new BenchmarkError('STOPPED'));
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stream) yield Buffer.from(chunk);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A plain HTTP answer can't half-close stdin. */
function upgraded(stream: unknown, action: Said): Duplex {
  if (!(stream instanceof Socket || stream instanceof SshConnection)) {
    throw new BenchmarkError('ENGINE_REFUSED', { action, reason: msg('engine.noTwoWayStream') });
  }
  stream.on('error', () => undefined);
  return stream;
}

function closed(socket: Duplex): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.once('close', () => resolve());
  });
}

/** `ended` reports that the container is gone. */
function toleratingWriter(socket: Duplex): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => void socket.write(chunk, () => done()),
    final: (done) => void socket.end(() => done()),
  });
}
