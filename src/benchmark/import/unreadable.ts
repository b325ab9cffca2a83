import { type Message, msg, type Said } from '../../shared/message.ts';
import { BenchmarkError } from '../../shared/errors.ts';

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
  msg('import.lookedForReports', { examples: '“transactions: 1234 (56.78 per sec.)”' }),
];

interface Quoted extends Record<string, string | number> {
  line: number;
  text: string;
}

export interface TextSeen {
  first?: Quoted;
  last?: Quoted;
  failure?: Quoted;
  header?: number;
}

export function whyUnreadable({ first, last, failure, header }: TextSeen): BenchmarkError {
  if (first === undefined || last === undefined) return unreadable(msg('import.empty'), LOOKED_FOR);
  if (failure !== undefined) return unreadable(msg('import.lineSays', failure), LOOKED_FOR);
  if (header !== undefined) return unreadable(msg('import.headerOnly', { ...last, header }), LOOKED_FOR);
  return unreadable(msg('import.notSysbench', first), LOOKED_FOR);
}
