import { type Message, msg, type Said } from '../../shared/message.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { FAILURE } from './report-lines.ts';
import { textLines } from './text-lines.ts';

const LONGEST_QUOTE = 120;

export function shortened(text: string): string {
  return text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE - 1)}…`;
}

export function unreadable(reason: Said, evidence: Message[] = [], cause?: unknown): BenchmarkError {
  return new BenchmarkError('IMPORT_UNREADABLE', { reason }, { evidence, cause });
}

const LOOKED_FOR = [
  msg('import.lookedForIntervals', {
    examples: '“[ 10s ] thds: 4 tps: …” (1.x), “[  10s] threads: 4, tps: …” (0.5)',
  }),
  msg('import.lookedForReports', {
    examples: '“SQL statistics:”, “OLTP test statistics:”, “transactions: 1234 (56.78 per sec.)”',
  }),
  msg('import.lookedForHooks'),
];
const MOST_FAILURES = 5;

export function whyUnreadable(text: string): BenchmarkError {
  let first: { number: number; body: string } | undefined;
  let last: { number: number; body: string } | undefined;
  let header: { number: number; body: string } | undefined;
  const failures: Message[] = [];
  for (const { number, body } of textLines(text)) {
    if (body === '') continue;
    const line = { number, body };
    first ??= line;
    last = line;
    if (/^(?:sysbench \d|Running the test with following options:)/.test(body)) header ??= line;
    if (failures.length < MOST_FAILURES && FAILURE.test(body)) {
      failures.push(msg('import.lineSays', { line: number, text: shortened(body) }));
    }
  }
  if (first === undefined || last === undefined) return unreadable(msg('import.empty'), LOOKED_FOR);
  const [failure, ...others] = failures;
  if (failure !== undefined) {
    return unreadable(failure, [...others, ...LOOKED_FOR]);
  }
  if (header !== undefined) {
    const where = { header: header.number, line: last.number, text: shortened(last.body) };
    return unreadable(msg('import.headerOnly', where), LOOKED_FOR);
  }
  const line = { line: first.number, text: shortened(first.body) };
  const code = last.number > first.number ? 'import.notSysbench' : 'import.notSysbenchLine';
  return unreadable(msg(code, line), LOOKED_FOR);
}
