export interface Counts {
  transactions: number;
  reads: number;
  writes: number;
  other: number;
  errors: Record<string, number>;
  rollbacks: number;
  mix: Record<string, number>;
}

export function emptyCounts(): Counts {
  return { transactions: 0, reads: 0, writes: 0, other: 0, errors: {}, rollbacks: 0, mix: {} };
}

export function clearCounts(counts: Counts): void {
  counts.transactions = counts.reads = counts.writes = counts.other = counts.rollbacks = 0;
  // The check saves two objects per transaction.
  if (!isEmpty(counts.errors)) counts.errors = {};
  if (!isEmpty(counts.mix)) counts.mix = {};
}

export function addCounts(into: Counts, more: Counts): void {
  into.transactions += more.transactions;
  into.reads += more.reads;
  into.writes += more.writes;
  into.other += more.other;
  into.rollbacks += more.rollbacks;
  addEach(into.errors, more.errors);
  addEach(into.mix, more.mix);
}

export function addEach(into: Record<string, number>, more: Record<string, number>): void {
  for (const key in more) into[key] = (into[key] ?? 0) + (more[key] ?? 0);
}

function isEmpty(record: Record<string, number>): boolean {
  for (const key in record) if (key !== '') return false;
  return true;
}

export const WINDOW_MS = 1000;

export function windowCount(phaseMs: number): number {
  return Math.ceil(phaseMs / WINDOW_MS);
}

export class WindowSchedule {
  readonly lastMs: number;
  readonly warmups: number;
  readonly count: number;
  readonly warmupMs: number;

  constructor(warmupMs: number, durationMs: number) {
    this.warmupMs = warmupMs;
    this.lastMs = warmupMs + durationMs;
    this.warmups = windowCount(warmupMs);
    this.count = this.warmups + windowCount(durationMs);
  }

  endMs(position: number): number {
    return position < this.warmups
      ? Math.min(this.warmupMs, (position + 1) * WINDOW_MS)
      : Math.min(this.lastMs, this.warmupMs + (position + 1 - this.warmups) * WINDOW_MS);
  }
}

export function countAnswer(counts: Counts, answer: { hasRows: boolean; affectedRows: number }): void {
  if (answer.hasRows) counts.reads += 1;
  else if (answer.affectedRows > 0) counts.writes += 1;
  else counts.other += 1;
}

/** Monotonic milliseconds that all threads share, unlike `performance.now()`. */
export function nowMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
