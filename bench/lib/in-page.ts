import type { WhalemarkApi } from '../../src/shared/contract/ipc.ts';

/** What the benches use of the page's globals; see tests/e2e/support/in-page.ts for why they are not simply there. */
interface InPage {
  whalemark: WhalemarkApi;
  document: {
    querySelector(selector: string): object | null;
  };
  performance: { now(): number; mark(name: string): void; getEntriesByName(name: string): unknown[] };
  addEventListener(
    type: 'click',
    listener: (event: { timeStamp: number }) => void,
    options: { capture: true; once: true },
  ): void;
  requestAnimationFrame(callback: () => void): void;
  requestIdleCallback(callback: () => void): void;
}

export const WINDOW_MARK = 'bench-window';

/** Runs in the page: marks from now on in its timeline when a window arrives. */
export function markWindows(name: string): void {
  const inPage = globalThis as unknown as InPage;
  inPage.whalemark.onEvent((event) => {
    if (event.type === 'run-event' && event.event.type === 'window') inPage.performance.mark(name);
  });
}

/** Runs in the page: whether so many windows have arrived. */
export function marksReached({ name, count }: { name: string; count: number }): boolean {
  const inPage = globalThis as unknown as InPage;
  return inPage.performance.getEntriesByName(name).length >= count;
}

/** Runs in the page: ms from the next click to a result that is drawn while the main thread has nothing more to do. */
export function untilUsable(): Promise<number> {
  const inPage = globalThis as unknown as InPage;
  return new Promise((resolve) => {
    const began = ({ timeStamp }: { timeStamp: number }): void => {
      const look = (): void => {
        if (inPage.document.querySelector('#numbers-title') === null) {
          return inPage.requestAnimationFrame(look);
        }
        // The frame in which it is has been drawn when the next one begins.
        inPage.requestAnimationFrame(() =>
          inPage.requestIdleCallback(() => resolve(inPage.performance.now() - timeStamp)),
        );
      };
      look();
    };
    inPage.addEventListener('click', began, { capture: true, once: true });
  });
}
