import { BenchmarkError } from '../../shared/errors.ts';
import { FAILURE } from './report-lines.ts';
import { textLines } from './text-lines.ts';

const LONGEST_QUOTE = 120;

/** A line as messages quote it. */
export function shortened(text: string): string {
  return text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE - 1)}…`;
}

/** The text can't be imported: why, and what was looked for. */
export function unreadable(reason: string, evidence: string[] = [], cause?: unknown): BenchmarkError {
  return new BenchmarkError('IMPORT_UNREADABLE', { reason }, { evidence, cause });
}

const LOOKED_FOR = [
  'Looked for: interval lines, “[ 10s ] thds: 4 tps: …” (1.x) or “[  10s] threads: 4, tps: …” (0.5)',
  'Looked for: final reports, “transactions: 1234 (56.78 per sec.)” below “SQL statistics:” or “OLTP test statistics:”',
  'Looked for: rows of the CSV and JSON report hooks',
];
const MOST_FAILURES = 5;

/** Says which line of a text without any figures is to blame. */
export function whyUnreadable(text: string): BenchmarkError {
  let first: { number: number; body: string } | undefined;
  let last: { number: number; body: string } | undefined;
  let header: { number: number; body: string } | undefined;
  const failures: string[] = [];
  for (const { number, body } of textLines(text)) {
    if (body === '') continue;
    const line = { number, body };
    first ??= line;
    last = line;
    if (/^(?:sysbench \d|Running the test with following options:)/.test(body)) header ??= line;
    if (failures.length < MOST_FAILURES && FAILURE.test(body)) {
      failures.push(`line ${number} says “${shortened(body)}”`);
    }
  }
  if (first === undefined || last === undefined) return unreadable('the text is empty', LOOKED_FOR);
  const [failure, ...others] = failures;
  if (failure !== undefined) {
    return unreadable(failure, [...others.map((one) => `Also ${one}`), ...LOOKED_FOR]);
  }
  if (header !== undefined) {
    const end = `the text ends with line ${last.number}, “${shortened(last.body)}”`;
    return unreadable(
      `line ${header.number} is sysbench's header, but no figures follow; ${end}`,
      LOOKED_FOR,
    );
  }
  const below = last.number > first.number ? ', nor is any line below' : '';
  const stopped = `line ${first.number} is not sysbench output${below}: “${shortened(first.body)}”`;
  return unreadable(stopped, LOOKED_FOR);
}
