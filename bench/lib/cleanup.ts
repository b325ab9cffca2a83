/** What a bench has started, taken away in reverse order, also when it is interrupted. */
export class Cleanup {
  readonly #steps: (() => Promise<void>)[] = [];

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
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
