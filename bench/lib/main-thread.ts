import type { CDPSession } from '@playwright/test';

/** An entry of Chromium's trace; times in µs. */
interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** CPU time of the thread. */
  tdur?: number;
}

/** What one thing that came in cost the page's main thread until its picture was handed over. */
export interface Update {
  /** How long the main thread was at it, ms. */
  busyMs: number;
  /** CPU time that it took, ms: without the moments in which others had the core. */
  cpuMs: number;
  /** From the arrival to the end of the frame, waiting for the screen's rhythm included, ms. */
  wallMs: number;
}

const CATEGORIES = [
  'toplevel',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'blink.user_timing',
];

/** Records the page's main thread while `action` continues. */
export async function traced(session: CDPSession, action: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: CATEGORIES, excludedCategories: ['*'] },
  });
  await action();
  await session.send('Tracing.end');
  await complete;
  return events;
}

/**
 * For every mark `name` of the page: the task in which it was set – from taking the message off the process border on – and
 * all that the main thread did until the next frame was committed. A mark without a frame before the next one drew nothing
 * and is counted with its task alone.
 */
export function updatesAfter(events: readonly TraceEvent[], name: string): Update[] {
  const marks = events
    .filter((one) => one.name === name && /^[RIn]$/.test(one.ph))
    .sort((a, b) => a.ts - b.ts);
  const [first] = marks;
  if (first === undefined) throw new Error(`the trace has no mark ${name}`);
  const own = events.filter(({ pid, tid }) => pid === first.pid && tid === first.tid);
  const tasks = own
    .filter((one) => one.ph === 'X' && one.name === 'RunTask')
    .map(({ ts, dur = 0, tdur = dur }) => ({ start: ts, end: ts + dur, cpu: tdur }))
    .sort((a, b) => a.start - b.start);
  const frames = own
    .filter(
      (one) => one.name === 'Commit' || one.name === 'UpdateLayerTree' || one.name === 'CompositeLayers',
    )
    .map(({ ts, dur = 0 }) => ts + dur)
    .sort((a, b) => a - b);
  return marks.flatMap(({ ts }, index) => {
    const arrival = tasks.find(({ start, end }) => start <= ts && ts <= end);
    if (arrival === undefined) return [];
    const next = marks[index + 1]?.ts ?? Infinity;
    const frame = frames.find((one) => one > arrival.end);
    const drawn = tasks.find(({ start, end }) => frame !== undefined && start <= frame && frame <= end);
    const last = drawn === undefined || drawn.start > next ? arrival : drawn;
    const busy = tasks.filter(({ start }) => start >= arrival.start && start <= last.start);
    return [
      {
        busyMs: busy.reduce((sum, { start, end }) => sum + (end - start), 0) / 1000,
        cpuMs: busy.reduce((sum, { cpu }) => sum + cpu, 0) / 1000,
        wallMs: (last.end - arrival.start) / 1000,
      },
    ];
  });
}
