import type { ImportedRun } from '../../shared/model/imported.ts';
import { importedRun } from './imported-run.ts';
import { isRun } from './run-draft.ts';
import { RunCollector } from './run-collector.ts';
import { textLines } from './text-lines.ts';
import { unreadable, whyUnreadable } from './unreadable.ts';

/** Larger texts are refused: even a day of interval lines is smaller. */
export const LARGEST_IMPORT = 64 * 2 ** 20;
/** More are no log of one project, but what looks like their names at the beginning of every line. */
const MOST_PROGRAMS = 1000;
/** Nobody looks at more; each takes memory many times that of its text. */
const MOST_RUNS = 10_000;

/**
 * Reads every run in a text with output of sysbench 0.4 to 1.1 or sysbench-tpcc, whatever stands around it. A figure is
 * the text's own or derived from its counts; what the text doesn't hold is null. Throws IMPORT_UNREADABLE when there is none.
 */
export function importSysbench(text: string): ImportedRun[] {
  if (text.length > LARGEST_IMPORT) throw tooLarge();
  const zero = text.indexOf('\0');
  if (zero !== -1) {
    throw unreadable(`line ${lineOf(text, zero)} holds a zero byte, so this is a binary file`);
  }
  // Programs whose lines are mixed in one log each have their own runs.
  const collectors = new Map<string, RunCollector>();
  let begun = 0;
  for (const line of textLines(text.startsWith('\uFEFF') ? text.slice(1) : text)) {
    if (line.body === '') continue;
    const label = collectors.has(line.label) || collectors.size < MOST_PROGRAMS ? line.label : '';
    let collector = collectors.get(label);
    if (collector === undefined) {
      collector = new RunCollector();
      collectors.set(label, collector);
    }
    const before = collector.drafts.length;
    collector.add(line);
    begun += collector.drafts.length - before;
    if (begun > MOST_RUNS) throw unreadable(`line ${line.number} begins one run more than ${MOST_RUNS}`);
  }
  const drafts = [...collectors.values()].flatMap((collector) => collector.drafts.filter(isRun));
  if (drafts.length === 0) throw whyUnreadable(text);
  return drafts.sort((a, b) => a.line - b.line).map(importedRun);
}

/** The line (1-based) of a place in a text. */
function lineOf(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < place; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** The refusal of what is larger than `LARGEST_IMPORT`. */
export function tooLarge() {
  return unreadable(`it is larger than ${LARGEST_IMPORT / 2 ** 20} MiB`);
}
