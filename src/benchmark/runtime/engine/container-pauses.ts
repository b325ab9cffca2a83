import { setTimeout } from 'node:timers/promises';
import type { Said } from '../../../shared/message.ts';
import type { EngineClient } from './engine-client.ts';
import { reasonOf } from './engine-error.ts';

/** An engine may notice a pause or its end this late. */
export const LATE_PAUSE_MS = 2_000;
const DEADLINE_MS = 3 * 60_000;
const RETRY_MS = 50;

/** Docker 20.10 on a busy machine may have a wrong paused state until containerd's next event. */
export class ContainerPauses {
  constructor(protected readonly client: EngineClient) {}

  pause(id: string): Promise<void> {
    const container = this.client.docker.getContainer(id);
    return this.#unlessDone('pause a container', /already paused/i, (abortSignal) =>
      container.pause({ abortSignal }),
    );
  }

  unpause(id: string): Promise<void> {
    const container = this.client.docker.getContainer(id);
    return this.#unlessDone('unpause a container', /not paused/i, (abortSignal) =>
      container.unpause({ abortSignal }),
    );
  }

  async #unlessDone(
    action: Said,
    done: RegExp,
    work: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<void> {
    const isDone = async (signal: AbortSignal): Promise<boolean> => {
      try {
        await work(signal);
        return false;
      } catch (error) {
        if (!done.test(reasonOf(error))) throw error;
        return true;
      }
    };
    for (let left = LATE_PAUSE_MS / RETRY_MS; left > 0; left--) {
      if (!(await this.client.call(action, isDone, { deadlineMs: DEADLINE_MS }))) return;
      await setTimeout(RETRY_MS);
    }
  }
}
