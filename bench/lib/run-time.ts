import type { RunEvent } from '../../src/shared/model/events.ts';

/** A stretch of a run's wall time, ms; the stretches of a run follow each other without a gap. */
export interface Stretch {
  /** What the run was busy with. */
  name: string;
  trialId: string | undefined;
  startMs: number;
  endMs: number;
}

/** Cuts the wall time of a run into what it was busy with, from its events. */
export function stretches(events: readonly RunEvent[]): Stretch[] {
  const found: Stretch[] = [];
  const open: string[] = [];
  let name = 'before the first step';
  let trialId: string | undefined;
  let since = events[0]?.at ?? 0;
  const cut = (at: number, next: string): void => {
    if (at > since) found.push({ name, trialId, startMs: since, endMs: at });
    since = at;
    name = next;
  };
  for (const event of events) {
    switch (event.type) {
      case 'step-started':
        cut(event.at, event.kind);
        if (event.kind === 'cleanup') trialId = undefined;
        open.push(event.kind);
        break;
      case 'step-finished': {
        const kind = event.stepId.split(':')[0] ?? '';
        open.splice(open.lastIndexOf(kind), 1);
        cut(event.at, open.at(-1) ?? `after ${kind}`);
        break;
      }
      case 'trial-started':
        cut(event.at, 'start');
        trialId = event.trialId;
        break;
      case 'trial-phase':
        // Told twice: by the run, which checks the path, and by the load generator, which then opens its connections.
        cut(
          event.at,
          event.phase === 'connect' && name !== 'check' && name !== 'connect' ? 'check' : event.phase,
        );
        break;
      case 'trial-finished':
        cut(event.at, 'after measuring');
        break;
      case 'run-finished':
        cut(event.at, '');
        break;
    }
  }
  return found;
}

/** The sum of the stretches that match, ms. */
export function total(all: readonly Stretch[], matches: (stretch: Stretch) => boolean): number {
  return all.filter(matches).reduce((sum, { startMs, endMs }) => sum + (endMs - startMs), 0);
}
