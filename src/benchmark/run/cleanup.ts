import { errorMessage, toErrorData, type ErrorData } from '../../shared/errors.ts';
import { msg } from '../../shared/message.ts';
import type { UntimedEvent } from './context.ts';

const STAGES = ['container', 'image', 'storage', 'network', 'swarm'] as const;
type Stage = (typeof STAGES)[number];

export class Cleanup {
  readonly #entries: { stage: Stage; remove: () => Promise<void> }[] = [];

  add(stage: Stage, remove: () => Promise<void>): void {
    this.#entries.push({ stage, remove });
  }

  async run(): Promise<ErrorData[]> {
    const entries = this.#entries.splice(0).reverse();
    const errors: ErrorData[] = [];
    for (const stage of STAGES) {
      const results = await Promise.allSettled(
        entries.filter((entry) => entry.stage === stage).map(({ remove }) => remove()),
      );
      for (const result of results) {
        if (result.status === 'rejected') errors.push(toErrorData(result.reason));
      }
    }
    return errors;
  }
}

export function cleanupNotice(left: ErrorData): UntimedEvent {
  return {
    type: 'notice',
    notice: {
      code: 'CLEANUP_INCOMPLETE',
      message: msg('notice.cleanupIncomplete', { what: errorMessage(left) }),
    },
  };
}
