import { appendFileSync, mkdirSync, readdirSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../files/data-dir.ts';

export interface Rotation {
  maxBytes: number;
  files: number;
}
const DEFAULT_ROTATION: Rotation = { maxBytes: 2 ** 20, files: 5 };

/**
 * A file that several processes append lines to: a line is one O_APPEND write, so none is torn or lost, even if its
 * process dies next. It is opened for each line, and rotated files get unique names, so no lock is needed. Never throws;
 * lines that can't be written are counted, and the next one says how many.
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
    // The first line break ends what a full disk took of a line.
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

/** Rotated files of `path`, oldest first; none if its folder can't be read. */
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
