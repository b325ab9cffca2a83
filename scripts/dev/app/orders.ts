/** What `npm run dev` tells the app through the channel that it started it with. */
export type Order = 'restart-core' | 'quit';

/** Does something whenever it is shown to. */
export function onOrder(order: Order, act: () => unknown): void {
  process.on('message', (message) => {
    if (message === order) act();
  });
}

// As a signal does it: without asking, and cleaned up. The one who gives the orders may also have gone.
const quit = (): void => void process.emit('SIGTERM', 'SIGTERM');
onOrder('quit', quit);
process.on('disconnect', quit);
