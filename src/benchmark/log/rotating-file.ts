import { appendFileSync, mkdirSync, readdirSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../files/data-dir.ts';

export interface Rotation {
  maxBytes: number;
  files: number;
}
const DEFAULT_ROTATION: Rotation = { maxBytes: 2 ** 20, files: 5 };

/**
 * Processes share it without a lock: one O_APPEND write a line, and unique names of rotated files. Never
 * throws; the next line counts those lost.
 */
export class RotatingFile {
  #lost = 0;
  #turns = 0;

  constructor(
    private readonly path: string,
    private readonly lostLine: (lines: number) => string,
    private readonly rotation: Rotation = DEFAULT_ROTATION,
  ) {}

  append(line: string): void {
    // The first line break ends a line that a full disk cut.
    const lost = this.#lost === 0 ? '' : `\n${this.lostLine(this.#lost)}\n`;
    const bytes = Buffer.from(`${lost}${line}\n`);
    try {
      mkdirSync(dirname(this.path), PRIVATE_FOLDER);
      this.#rotateBefore(bytes.length);
      appendFileSync(this.path, bytes, { mode: PRIVATE_FILE });
      this.#lost = 0;
    } catch {
      this.#lost += 1;
    }
  }

  #rotateBefore(bytes: number): void {
    const { maxBytes, files } = this.rotation;
    const { size } = statSync(this.path, { throwIfNoEntry: false }) ?? { size: 0 };
    if (size === 0 || size + bytes <= maxBytes) return;
    const [folder, name] = [dirname(this.path), basename(this.path, '.log')];
    const stamp = new Date().toISOString().replaceAll(':', '-');
    this.#turns += 1;
    const aside = `${name}.${stamp}.${process.pid}.${String(this.#turns).padStart(6, '0')}.log`;
    orNothing(() => renameSync(this.path, join(folder, aside)));
    const all = setAside(this.path);
    for (const old of all.slice(0, Math.max(0, all.length - (files - 1)))) orNothing(() => unlinkSync(old));
  }
}

/** Another process may have done it. */
function orNothing(change: () => void): void {
  try {
    change();
  } catch {}
}

/** Oldest first; none if the folder is unreadable. */
export function setAside(path: string): string[] {
  const [folder, name] = [dirname(path), basename(path, '.log')];
  try {
    return readdirSync(folder)
      .filter((one) => one.startsWith(`${name}.`) && one.endsWith('.log') && one !== basename(path))
      .sort()
      .map((one) => join(folder, one));
  } catch {
    return [];
  }
}
