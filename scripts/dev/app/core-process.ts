import { CoreProcess as Product, type CoreChild } from '../../../src/main/core-process.ts';
import { onOrder } from './orders.ts';

export type * from '../../../src/main/core-process.ts';

/** How long a core may clean up before the next one takes its place. */
const SHUT_DOWN_MS = 8_000;

/** As the product's; in addition to, it starts a core again when its code has changed. */
export class CoreProcess extends Product {
  constructor(options: ConstructorParameters<typeof Product>[0]) {
    let child: CoreChild | undefined;
    let isAsked = false;
    super({
      ...options,
      fork: () => (child = options.fork()),
      onExit: (exit) => {
        options.onExit?.({ ...exit, expected: exit.expected || isAsked });
        isAsked = false;
        child = undefined;
      },
    });
    onOrder('restart-core', async () => {
      const old = child;
      if (old === undefined) return this.start();
      const timeout = new Promise((resolve) => setTimeout(resolve, SHUT_DOWN_MS));
      await Promise.race([this.request('core:shut-down', {}), timeout]);
      // It died meanwhile: the next one has been started with the new code.
      if (child !== old) return;
      isAsked = true;
      old.on('exit', () => {
        // The product leaves it at the third within a minute, which here are changes and no crashes.
        if (child === undefined) this.start();
      });
      old.kill();
    });
  }
}
