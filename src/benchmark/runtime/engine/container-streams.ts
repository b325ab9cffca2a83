import { Socket } from 'node:net';
import { PassThrough, Readable, Writable, type Duplex } from 'node:stream';
import * as z from 'zod';
import { msg, type Said } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Attachment } from '../container-runtime.ts';
import { checked, type EngineClient } from './engine-client.ts';
import { engineError, engineLost } from './engine-error.ts';
import { Demultiplexer, LineSplitter, type Channel } from './multiplex.ts';
import { SshConnection } from '../ssh/ssh-connection.ts';

/** A command in a container may well take minutes; only a hang should end it. */
const EXEC_DEADLINE_MS = 10 * 60_000;
/** What a command in a container may print, bytes: its program is the image's, and may print without end. */
const EXEC_BYTES = 2 ** 24;
const COPY_DEADLINE_MS = 60 * 60_000;
/** The engine closes the stream of an exec a moment before it knows the exit code. */
const EXEC_EXIT_RETRIES = 50;
const EXEC_EXIT_RETRY_MS = 20;

const execStateSchema = z.object({ Running: z.boolean(), ExitCode: z.number().nullish() });

/** What flows in and out of containers: logs, standard streams, commands, files. */
export class ContainerStreams {
  readonly #client: EngineClient;

  constructor(client: EngineClient) {
    this.#client = client;
  }

  /** See `ContainerClient.followLogs`. Rejects with ENGINE_LOST when the stream is cut. */
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
      const stream = await this.#client.call(
        action,
        (abortSignal) =>
          this.#client.docker.getContainer(id).logs({
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

  /** See `ContainerClient.waitPaused`. */
  async waitPaused(id: string, signal: AbortSignal): Promise<void> {
    const action = 'wait for events';
    const stream = await this.#client.call(
      action,
      (abortSignal) =>
        this.#client.docker.getEvents({
          filters: { type: ['container'], container: [id], event: ['pause'] },
          abortSignal,
        }),
      { signal },
    );
    for await (const chunk of abortable(stream, signal)) if (chunk.length > 0) return;
    throw engineLost(action, 'the stream of events ended');
  }

  /** See `ContainerClient.logTail`. */
  async logTail(id: string, lines: number): Promise<string[]> {
    const action = msg('action.readLog');
    const bytes = await this.#client.call(action, (abortSignal) =>
      this.#client.docker
        .getContainer(id)
        .logs({ follow: false, stdout: true, stderr: true, tail: lines, abortSignal }),
    );
    const tail: string[] = [];
    const splitter = new LineSplitter((line) => tail.push(line));
    new Demultiplexer((...frame) => splitter.push(...frame)).push(Buffer.from(bytes));
    splitter.end();
    return tail.slice(-lines);
  }

  /**
   * See `ContainerClient.attach`. `stdout` must be read, or the container will stop at its next write; nobody needs
   * to read `stderr`.
   */
  async attach(id: string): Promise<Attachment> {
    const action = msg('action.attach');
    const socket = upgraded(
      await this.#client.call(action, (abortSignal) =>
        this.#client.docker.getContainer(id).attach({
          stream: true,
          stdin: true,
          stdout: true,
          stderr: true,
          hijack: true,
          abortSignal,
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

  /** See `ContainerClient.exec`. A command that fails is an answer, not an error; one that prints too much is ENGINE_REFUSED. */
  async exec(id: string, command: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> {
    const action = msg('action.exec');
    const exec = await this.#client.call(action, (abortSignal) =>
      this.#client.docker
        .getContainer(id)
        .exec({ Cmd: command, AttachStdout: true, AttachStderr: true, abortSignal }),
    );
    const output: Record<Channel, Buffer[]> = { stdout: [], stderr: [], system: [] };
    const demultiplexer = new Demultiplexer((channel, bytes) => output[channel].push(bytes));
    let room = EXEC_BYTES;
    await this.#client.call(
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
      { deadlineMs: EXEC_DEADLINE_MS },
    );
    const text = (channel: Channel): string => Buffer.concat(output[channel]).toString('utf8');
    return { exitCode: await this.#execExit(exec, action), stdout: text('stdout'), stderr: text('stderr') };
  }

  async #execExit(
    exec: { inspect(options: { abortSignal: AbortSignal }): Promise<unknown> },
    action: Said,
  ): Promise<number> {
    for (let attempt = 0; attempt < EXEC_EXIT_RETRIES; attempt++) {
      const answer = await this.#client.call(action, (abortSignal) => exec.inspect({ abortSignal }));
      const state = checked(execStateSchema, answer, action);
      if (!state.Running && typeof state.ExitCode === 'number') return state.ExitCode;
      // There is no event to wait for: the API only lets us ask again.
      await new Promise((resolve) => setTimeout(resolve, EXEC_EXIT_RETRY_MS));
    }
    throw new BenchmarkError('ENGINE_REFUSED', { action, reason: msg('engine.noExitCode') });
  }

  /** See `ContainerClient.getArchive`. The stream ends with ENGINE_LOST when the engine goes while it flows. */
  async getArchive(id: string, path: string): Promise<Readable> {
    const action = msg('action.copyOut');
    const stream = await this.#client.call(action, (abortSignal) =>
      this.#client.docker.getContainer(id).getArchive({ path, abortSignal }),
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

  /** See `ContainerClient.putArchive`. Rejects with the error of `tar` when that breaks first. */
  async putArchive(id: string, path: string, tar: Readable | Uint8Array): Promise<void> {
    const body = tar instanceof Uint8Array ? Buffer.from(tar.buffer, tar.byteOffset, tar.byteLength) : tar;
    try {
      await this.#client.call(
        'copy files into a container',
        // Without `copyUIDGID` the owners in the archive are kept; with it everything would go to the container's user.
        (abortSignal) => this.#client.docker.getContainer(id).putArchive(body, { path, abortSignal }),
        { deadlineMs: COPY_DEADLINE_MS },
      );
    } catch (error) {
      if (body instanceof Readable) body.destroy();
      throw error;
    }
  }
}

/**
 * The engine notes the start a moment after the program began to run, so its first lines may be older than
 * `StartedAt` (observed: 0.2 ms). Starting a container again takes several times this margin, so nothing of an earlier
 * start slips in.
 */
const START_MARGIN_NS = 50_000_000n;

/**
 * `StartedAt` as the value of the logs' "since": the engine prints RFC 3339 with nanoseconds but takes seconds with a
 * fraction. What can't be read means "from the beginning".
 */
export function logTime(startedAt: string): string {
  const [, seconds, fraction = '', zone] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)$/.exec(startedAt) ?? [];
  const milliseconds = Date.parse(`${seconds ?? ''}${zone ?? ''}`);
  // A container that never ran has the year 1 here.
  if (Number.isNaN(milliseconds) || milliseconds <= 0) return '0';
  const time = BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0')) - START_MARGIN_NS;
  return `${time / 1_000_000_000n}.${String(time % 1_000_000_000n).padStart(9, '0')}`;
}

/** Passes program output on and turns what the engine itself says in the stream into an error. */
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

/** The chunks of a stream; reading ends with an error when the stream is cut or `signal` aborts. */
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

/** The engine must have switched protocols; over plain HTTP stdin could not be closed on its own. */
function upgraded(stream: unknown, action: Said): Duplex {
  if (!(stream instanceof Socket || stream instanceof SshConnection)) {
    throw new BenchmarkError('ENGINE_REFUSED', { action, reason: msg('engine.noTwoWayStream') });
  }
  // Whether it ends or breaks is told by `closed`; without a listener a break would end the process.
  stream.on('error', () => undefined);
  return stream;
}

function closed(socket: Duplex): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.once('close', () => resolve());
  });
}

/** Standard input as a stream that never fails: whoever writes to a container that is gone learns it from `ended`. */
function toleratingWriter(socket: Duplex): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => void socket.write(chunk, () => done()),
    // Half-closing is what the container sees as the end of its input.
    final: (done) => void socket.end(() => done()),
  });
}
