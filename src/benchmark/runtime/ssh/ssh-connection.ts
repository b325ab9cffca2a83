import { accessSync, constants } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { SshTarget } from '../engine/endpoints.ts';
import { Agent, type ClientRequest } from 'node:http';
import { Duplex, type Writable } from 'node:stream';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { Socket } from 'node:net';

const USUAL_PLACES: Record<string, string[]> = {
  win32: ['C:\\Windows\\System32\\OpenSSH', 'C:\\Program Files\\Git\\usr\\bin'],
  other: ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'],
};

const CONNECT_TIMEOUT_SECONDS = 10;

/** Only the user's own ssh uses ssh_config, agent, known hosts, and jump hosts. */
export function findSsh(env: NodeJS.ProcessEnv, platform: string): string | undefined {
  const windows = platform === 'win32';
  const path = windows ? win32 : posix;
  const onPath = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter).filter(path.isAbsolute);
  return [...onPath, ...(USUAL_PLACES[windows ? 'win32' : 'other'] ?? [])]
    .map((directory) => path.join(directory, windows ? 'ssh.exe' : 'ssh'))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Source: Docker's CLI (cli/connhelper). No user could answer, hence BatchMode. The values must come from
 * `parseEndpoint`.
 */
export function sshArguments({ host, port, user, socketPath }: SshTarget): string[] {
  const docker = socketPath === undefined ? ['docker'] : ['docker', `--host=unix://${socketPath}`];
  return [
    ...['-o', 'BatchMode=yes', '-o', `ConnectTimeout=${CONNECT_TIMEOUT_SECONDS}`],
    ...['-o', 'ControlMaster=no', '-T'],
    ...(port === undefined ? [] : ['-p', String(port)]),
    ...(user === undefined ? [] : ['-l', user]),
    ...['--', host, ...docker, 'system', 'dial-stdio'],
  ];
}

export function sshTrial({ host, port, user }: SshTarget): string {
  const parts = ['ssh', ...(port === undefined ? [] : ['-p', String(port)])];
  return [...parts, user === undefined ? host : `${user}@${host}`, 'docker version'].join(' ');
}

/** A new connection costs a login. */
const IDLE_MS = 5_000;

export class SshAgent extends Agent {
  readonly #idle = new WeakMap<Duplex, NodeJS.Timeout>();

  constructor(private readonly target: SshTarget) {
    super({ keepAlive: true, maxFreeSockets: 4 });
  }

  override createConnection(): SshConnection {
    return new SshConnection(this.target);
  }

  override keepSocketAlive(connection: Duplex): boolean {
    if (!(connection instanceof SshConnection) || connection.destroyed) return false;
    connection.rest();
    const timer = setTimeout(() => connection.destroy(), IDLE_MS);
    this.#idle.set(connection, timer.unref());
    return true;
  }

  override reuseSocket(connection: Duplex, request: ClientRequest): void {
    clearTimeout(this.#idle.get(connection));
    if (connection instanceof SshConnection) connection.wake();
    request.reusedSocket = true;
  }
}

const MAX_WORDS_BYTES = 16 * 1024;
const EXIT_MS = 5_000;
/** stderr may stay open, since a ControlPersist master inherits it. */
const LAST_WORDS_MS = 200;

type Done = (error?: Error | null) => void;

export class SshFailure extends Error {
  override readonly name = 'SshFailure';
  readonly code = 'ECONNRESET';

  constructor(
    readonly how: string,
    readonly exitCode: number | null | 'missing',
    readonly words: string[],
  ) {
    super(how);
  }
}

const children = new Set<ChildProcessWithoutNullStreams>();
let watchingExit = false;

function watchExit(): void {
  if (watchingExit) return;
  watchingExit = true;
  process.on('exit', () => {
    for (const child of children) child.kill();
  });
}

/** `end()` half-closes the stream; a failure of ssh breaks it with `SshFailure`. */
export class SshConnection extends Duplex {
  readonly #child: ChildProcessWithoutNullStreams | undefined;
  readonly #gone: Promise<SshFailure | undefined>;
  #words = '';
  #resting = false;

  constructor(target: SshTarget) {
    super({ allowHalfOpen: false });
    // An unheard error would end the process.
    this.on('error', () => undefined);
    const ssh = findSsh(process.env, process.platform);
    if (ssh === undefined) {
      this.#gone = Promise.resolve(new SshFailure('there is no ssh', 'missing', []));
      void this.#gone.then((failure) => this.destroy(failure));
      return;
    }
    watchExit();
    const child = spawn(ssh, sshArguments(target), { stdio: 'pipe', windowsHide: true });
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
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  rest(): void {
    this.#resting = true;
    this.#child?.unref();
    for (const socket of this.#sockets()) socket.unref();
  }

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

  /** A failure of ssh shows only in its exit. */
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
      if (input.destroyed) void this.#gone.then((failure) => sent(failure));
      else input.end(sent);
    }, done);
  }

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

function wordsOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('Warning: Permanently added'));
}
