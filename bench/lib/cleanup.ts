import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Removals of everything that a bench has started, run in reverse order, also when it is interrupted. */
export class Cleanup {
  readonly #steps: (() => Promise<unknown>)[] = [];

  add(step: () => Promise<unknown>): void {
    this.#steps.push(step);
  }

  /** Makes an empty folder that is removed at the end. */
  folder(name: string): string {
    const folder = mkdtempSync(join(tmpdir(), `whalemark-${name}-`));
    this.add(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  /** Runs a bench and then everything that was added. */
  async around(bench: () => Promise<void>): Promise<void> {
    const interrupted = new Promise<never>((_, reject) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.once(signal, () => reject(new Error(`interrupted by ${signal}`)));
      }
    });
    try {
      await Promise.race([bench(), interrupted]);
    } finally {
      for (const step of this.#steps.reverse()) {
        await step().catch((error: unknown) => console.error(error));
      }
    }
  }
}
