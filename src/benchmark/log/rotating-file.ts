import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PRIVATE_FOLDER } from '../files/data-dir.ts';

/** More lines than a log gets in an hour: a disk that hangs must not fill the memory. */
const MOST_WAITING = 2_000;

export interface Rotation {
  /** A file that would grow beyond this is put aside, bytes. */
  maxBytes: number;
  /** How many files there are, the one being written among them. */
  files: number;
}
const DEFAULT_ROTATION: Rotation = { maxBytes: 2 ** 20, files: 5 };

/**
 * A text file that several processes append whole lines to at the same time. Lines go out behind the caller's back,
 * those that wait together in one write with O_APPEND, so that no line is torn or lost between two writers. The file is
 * opened for each such write: nobody holds one that another process has put aside. A file put aside gets a name that is
 * never used twice, so rotating needs no lock: at the worst two processes do it at once and leave a short file.
 *
 * Nothing here ever throws or rejects. Lines that could not be written are counted, and the next ones tell how many.
 */
export class RotatingFile {
  readonly #path: string;
  readonly #lostLine: (lines: number) => string;
  readonly #rotation: Rotation;
  #waiting: string[] = [];
  #writing: Promise<void> | undefined;
  #lost = 0;
  /** The disk was full in the middle of a line. */
  #isTorn = false;
  #turns = 0;

  /** `lostLine` is the line that stands for so many that are missing. */
  constructor(path: string, lostLine: (lines: number) => string, rotation: Rotation = DEFAULT_ROTATION) {
    this.#path = path;
    this.#lostLine = lostLine;
    this.#rotation = rotation;
  }

  /** Takes a line without its end. */
  append(line: string): void {
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(line);
    else this.#lost += 1;
    this.#writing ??= this.#writeWaiting();
  }

  /** Resolves when every line so far is written, or given up. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  /** For the last words of a process: writes what waits before it returns, wherever the file stands. */
  flushNow(): void {
    const { lines, text } = this.#take();
    if (lines === 0) return;
    try {
      mkdirSync(dirname(this.#path), PRIVATE_FOLDER);
      const file = openSync(this.#path, 'a', 0o600);
      try {
        writeSync(file, text);
      } finally {
        closeSync(file);
      }
    } catch {
      this.#lost += lines;
    }
  }

  async #writeWaiting(): Promise<void> {
    // What is logged in one go is written in one go.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const lines = await this.#write().catch(() => this.#take().lines);
      this.#lost += lines;
    }
    this.#writing = undefined;
  }

  /** Resolves with how many lines were not written. Rejects while they still wait. */
  async #write(): Promise<number> {
    await mkdir(dirname(this.#path), PRIVATE_FOLDER);
    await this.#rotate();
    const file = await open(this.#path, 'a', 0o600);
    try {
      // Only now: a process that dies meanwhile still finds them waiting.
      const { lines, text } = this.#take();
      const wasLost = this.#lost;
      const told = wasLost === 0 ? '' : `${this.#lostLine(wasLost)}\n`;
      const bytes = Buffer.from(`${this.#isTorn ? '\n' : ''}${told}${text}`);
      const { bytesWritten } = await file.write(bytes).catch(() => ({ bytesWritten: 0 }));
      if (bytesWritten < bytes.length) {
        this.#isTorn ||= bytesWritten > 0;
        return lines;
      }
      this.#isTorn = false;
      this.#lost -= wasLost;
      return 0;
    } finally {
      await file.close();
    }
  }

  async #rotate(): Promise<void> {
    const { maxBytes, files } = this.#rotation;
    const { size } = await stat(this.#path).catch(() => ({ size: 0 }));
    if (size === 0 || size + this.#waitingBytes() <= maxBytes) return;
    const [folder, name] = [dirname(this.#path), basename(this.#path, '.log')];
    const stamp = new Date().toISOString().replaceAll(':', '-');
    this.#turns += 1;
    const aside = `${name}.${stamp}.${process.pid}.${String(this.#turns).padStart(6, '0')}.log`;
    // Another process may have been faster with either.
    await rename(this.#path, join(folder, aside)).catch(() => undefined);
    const all = await setAside(this.#path);
    for (const old of all.slice(0, Math.max(0, all.length - (files - 1)))) {
      await unlink(old).catch(() => undefined);
    }
  }

  #waitingBytes(): number {
    return this.#waiting.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  }

  #take(): { lines: number; text: string } {
    const lines = this.#waiting;
    this.#waiting = [];
    return { lines: lines.length, text: lines.map((line) => `${line}\n`).join('') };
  }
}

/** The files that were put aside for the one at `path`, the oldest first. Never rejects. */
export async function setAside(path: string): Promise<string[]> {
  const [folder, name] = [dirname(path), basename(path, '.log')];
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((one) => one.startsWith(`${name}.`) && one.endsWith('.log') && one !== basename(path))
    .sort()
    .map((one) => join(folder, one));
}
