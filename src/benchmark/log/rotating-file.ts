import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PRIVATE_FOLDER } from '../files/data-dir.ts';

/** Limits memory if the disk hangs. */
const MOST_WAITING = 2_000;

export interface Rotation {
  maxBytes: number;
  files: number;
}
const DEFAULT_ROTATION: Rotation = { maxBytes: 2 ** 20, files: 5 };

/**
 * A file that several processes append lines to: waiting lines go out in one O_APPEND write, so none is torn or
 * lost. It is opened for each write, and rotated files get unique names, so no lock is needed. Never throws or
 * rejects; lost lines are counted and reported.
 */
export class RotatingFile {
  #waiting: string[] = [];
  #writing: Promise<void> | undefined;
  #lost = 0;
  #isTorn = false;
  #turns = 0;

  constructor(
    private readonly path: string,
    private readonly lostLine: (lines: number) => string,
    private readonly rotation: Rotation = DEFAULT_ROTATION,
  ) {}

  append(line: string): void {
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(line);
    else this.#lost += 1;
    this.#writing ??= this.#writeWaiting();
  }

  async flush(): Promise<void> {
    await this.#writing;
  }

  flushNow(): void {
    const { lines, text } = this.#take();
    if (lines === 0) return;
    try {
      mkdirSync(dirname(this.path), PRIVATE_FOLDER);
      const file = openSync(this.path, 'a', 0o600);
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
    // Combines lines logged in one go.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const lines = await this.#write().catch(() => this.#take().lines);
      this.#lost += lines;
    }
    this.#writing = undefined;
  }

  async #write(): Promise<number> {
    await mkdir(dirname(this.path), PRIVATE_FOLDER);
    await this.#rotate();
    const file = await open(this.path, 'a', 0o600);
    try {
      // Lines are taken only now, so that a dying process still finds them waiting.
      const { lines, text } = this.#take();
      const wasLost = this.#lost;
      const lostLine = wasLost === 0 ? '' : `${this.lostLine(wasLost)}\n`;
      const bytes = Buffer.from(`${this.#isTorn ? '\n' : ''}${lostLine}${text}`);
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
    const { maxBytes, files } = this.rotation;
    const { size } = await stat(this.path).catch(() => ({ size: 0 }));
    if (size === 0 || size + this.#waitingBytes() <= maxBytes) return;
    const [folder, name] = [dirname(this.path), basename(this.path, '.log')];
    const stamp = new Date().toISOString().replaceAll(':', '-');
    this.#turns += 1;
    const aside = `${name}.${stamp}.${process.pid}.${String(this.#turns).padStart(6, '0')}.log`;
    await rename(this.path, join(folder, aside)).catch(() => undefined);
    const all = await setAside(this.path);
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

/** Rotated files of `path`, oldest first. Never rejects. */
export async function setAside(path: string): Promise<string[]> {
  const [folder, name] = [dirname(path), basename(path, '.log')];
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((one) => one.startsWith(`${name}.`) && one.endsWith('.log') && one !== basename(path))
    .sort()
    .map((one) => join(folder, one));
}
