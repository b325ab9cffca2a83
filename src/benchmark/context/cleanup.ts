import { errorMessage, toErrorData, type ErrorData } from '../../shared/errors.ts';
import { msg } from '../../shared/message.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import type { UntimedEvent } from './context.ts';

const STAGES = ['container', 'image', 'storage', 'network', 'swarm'] as const;
type Stage = (typeof STAGES)[number];

interface Entry {
  stage: Stage;
  remove: () => Promise<void>;
}

export class Cleanup {
  readonly #entries: Entry[] = [];

  add(stage: Stage, remove: () => Promise<void>): void {
    this.#entries.push({ stage, remove });
  }

  /** Resolves with what failed; retries what a lost engine kept if `returns`. */
  async run(returns: () => Promise<boolean> = () => Promise.resolve(false)): Promise<ErrorData[]> {
    const failed = await removeAll(this.#entries.splice(0).reverse());
    const isLost = failed.some(({ error }) => isEngineLost(error));
    const left = isLost && (await returns()) ? await removeAll(failed.map(({ entry }) => entry)) : failed;
    return left.map(({ error }) => toErrorData(error));
  }
}

interface Failure {
  entry: Entry;
  error: unknown;
}

async function removeAll(entries: readonly Entry[]): Promise<Failure[]> {
  const failed: Failure[] = [];
  for (const stage of STAGES) {
    const first = await tryAll(entries.filter((entry) => entry.stage === stage));
    const lost = first.filter(({ error }) => isEngineLost(error));
    // Podman keeps a server while a client in its namespace exists.
    const refused = first.filter((one) => !lost.includes(one)).map(({ entry }) => entry);
    failed.push(...lost, ...(await tryAll(refused)));
  }
  return failed;
}

async function tryAll(entries: readonly Entry[]): Promise<Failure[]> {
  const failed: Failure[] = [];
  const removing = entries.map((entry) =>
    entry.remove().catch((error: unknown) => failed.push({ entry, error })),
  );
  await Promise.all(removing);
  return failed;
}

export function cleanupNotices(failed: readonly ErrorData[]): UntimedEvent[] {
  const reasons = new Map(failed.map(errorMessage).map((reason) => [reason.text, reason]));
  return [...reasons.values()].map((what) => ({
    type: 'notice',
    notice: { code: 'CLEANUP_INCOMPLETE', message: msg('notice.cleanupIncomplete', { what }) },
  }));
}
