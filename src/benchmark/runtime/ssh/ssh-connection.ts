import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { Socket } from 'node:net';
import { Duplex, type Writable } from 'node:stream';
import { childEnv } from '../../machine/host-source.ts';
import type { SshTarget } from '../engine/endpoints.ts';
import { findSsh, sshArguments } from './ssh-command.ts';

/** What ssh says is a few lines; a server's banner may be long. */
const MAX_WORDS_BYTES = 16 * 1024;
/** How long a child may take to be gone after its output has ended, before it is ended. */
const EXIT_MS = 5_000;
/** stderr may stay open after the end: a master of shared connections (ControlPersist) inherits it. */
const LAST_WORDS_MS = 200;

type Done = (error?: Error | null) => void;

/** The connection through ssh broke, or never came about. `ECONNRESET` is what a socket would have said. */
export class SshFailure extends Error {
  override readonly name = 'SshFailure';
  readonly code = 'ECONNRESET';

  constructor(
    /** How it ended, without names and addresses: "ssh ended with code 255". */
    readonly how: string,
    /** `missing`: there is no ssh here. */
    readonly exitCode: number | null | 'missing',
    /** What ssh, or docker on the other machine, wrote to stderr. */
    readonly words: string[],
  ) {
    super(how);
  }
}

/** Children that are alive; none may outlive this process. */
const children = new Set<ChildProcessWithoutNullStreams>();
let watchingExit = false;

function watchExit(): void {
  if (watchingExit) return;
  watchingExit = true;
  process.on('exit', () => {
    for (const child of children) child.kill();
  });
}

/**
 * One connection to an engine through a child `ssh`: what is written goes to the engine, what is read comes from it.
 * `end()` half-closes, as on a socket: the engine sees the end of input and can still answer. When ssh fails the
 * stream breaks with an `SshFailure`. The child is gone soon after the stream is closed.
 */
export class SshConnection extends Duplex {
  readonly #child: ChildProcessWithoutNullStreams | undefined;
  readonly #gone: Promise<SshFailure | undefined>;
  #words = '';
  #resting = false;

  constructor(target: SshTarget, env: NodeJS.ProcessEnv = process.env) {
    // Like a socket: once the engine has ended the connection there is nobody left to write to.
    super({ allowHalfOpen: false });
    // Between two requests nobody listens, and a break then would end the process.
    this.on('error', () => undefined);
    const ssh = findSsh(env, process.platform);
    if (ssh === undefined) {
      this.#gone = Promise.resolve(new SshFailure('there is no ssh', 'missing', []));
      void this.#gone.then((failure) => this.destroy(failure));
      return;
    }
    watchExit();
    const child = spawn(ssh, sshArguments(target), { env: childEnv(env), stdio: 'pipe', windowsHide: true });
    this.#child = child;
    this.#gone = this.#outcome(child);
    children.add(child);
    child.stderr.on('data', (chunk: Buffer) => {
      if (this.#words.length < MAX_WORDS_BYTES) this.#words += chunk.toString('utf8');
    });
    child.stdout.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) child.stdout.pause();
    });
    child.stdout.once('end', () => void this.#endReading(child));
    // Whatever breaks here is told by how the child ends.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
  }

  /** Process id of the child, undefined when there is none. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** From now on it only waits for its next request: it keeps no process alive, and is closed as soon as it breaks. */
  rest(): void {
    this.#resting = true;
    this.#child?.unref();
    for (const socket of this.#sockets()) socket.unref();
  }

  /** Ends what `rest` began. */
  wake(): void {
    this.#resting = false;
    this.#child?.ref();
    for (const socket of this.#sockets()) socket.ref();
  }

  #sockets(): Socket[] {
    const child = this.#child;
    if (child === undefined) return [];
    return [child.stdin, child.stdout, child.stderr].filter((pipe) => pipe instanceof Socket);
  }

  /** Resolves when the child is gone: with why it failed, or with undefined when all went well. */
  #outcome(child: ChildProcessWithoutNullStreams): Promise<SshFailure | undefined> {
    return new Promise((resolve) => {
      child.once('error', (error) => {
        children.delete(child);
        resolve(new SshFailure('ssh can not be started', 'missing', [error.message]));
      });
      child.once('exit', (code, signal) => {
        children.delete(child);
        if (this.#resting) this.destroy();
        if (code === 0) {
          resolve(undefined);
          return;
        }
        const how = signal === null ? `ssh ended with code ${code ?? '?'}` : `ssh was ended by ${signal}`;
        const fail = (): void => {
          clearTimeout(timer);
          resolve(new SshFailure(how, code, wordsOf(this.#words)));
        };
        const timer = setTimeout(fail, LAST_WORDS_MS);
        child.once('close', fail);
      });
    });
  }

  /** Output has ended; whether that was a proper end only the child's exit tells. */
  async #endReading(child: ChildProcessWithoutNullStreams): Promise<void> {
    const timer = setTimeout(() => child.kill(), EXIT_MS);
    const failure = await this.#gone;
    clearTimeout(timer);
    if (failure === undefined) this.push(null);
    else this.destroy(failure);
  }

  override _read(): void {
    this.#child?.stdout.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#tell((input, sent) => void input.write(chunk, sent), done);
  }

  override _final(done: Done): void {
    this.#tell((input, sent) => {
      // A stream that is destroyed already never calls back: the child is gone, and with it its input.
      if (input.destroyed) void this.#gone.then((failure) => sent(failure));
      else input.end(sent);
    }, done);
  }

  /** When ssh no longer reads, the reason is in how it ended, not in the EPIPE. */
  #tell(what: (input: Writable, sent: Done) => void, done: Done): void {
    if (this.#child === undefined) {
      void this.#gone.then((failure) => done(failure));
      return;
    }
    what(this.#child.stdin, (error) => {
      if (error instanceof Error) void this.#gone.then((failure) => done(failure ?? error));
      else done();
    });
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const child = this.#child;
    if (child !== undefined) {
      child.stdin.destroy();
      child.stdout.destroy();
      child.kill();
    }
    done(error);
  }
}

/** The lines ssh wrote, without what it says on the way to success. */
function wordsOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('Warning: Permanently added'));
}
