import type { ImportedRun } from '../../shared/model/imported.ts';
import { importedRun } from './imported-run.ts';
import { isRun } from './run-draft.ts';
import { RunCollector } from './run-collector.ts';
import { textLines } from './text-lines.ts';
import { unreadable, whyUnreadable } from './unreadable.ts';

/** Larger texts are refused: even a day of interval lines is smaller. */
export const LARGEST_IMPORT = 64 * 2 ** 20;

/**
 * Reads every run in a text with output of sysbench 0.4 to 1.1 or sysbench-tpcc, whatever stands around it. A figure is
 * the text's own or derived from its counts; what the text doesn't hold is null. Throws IMPORT_UNREADABLE when there is none.
 */
export function importSysbench(text: string): ImportedRun[] {
  if (text.length > LARGEST_IMPORT) throw tooLarge();
  const zero = text.indexOf('\0');
  if (zero !== -1) {
    const line = text.slice(0, zero).split('\n').length;
    throw unreadable(`line ${line} holds a zero byte, so this is a binary file`);
  }
  // Programs whose lines are mixed in one log each have their own runs.
  const collectors = new Map<string, RunCollector>();
  for (const line of textLines(text.startsWith('\uFEFF') ? text.slice(1) : text)) {
    if (line.body === '') continue;
    let collector = collectors.get(line.label);
    if (collector === undefined) {
      collector = new RunCollector();
      collectors.set(line.label, collector);
    }
    collector.add(line);
  }
  const drafts = [...collectors.values()].flatMap((collector) => collector.drafts.filter(isRun));
  if (drafts.length === 0) throw whyUnreadable(text);
  return drafts.sort((a, b) => a.line - b.line).map(importedRun);
}

/** The refusal of what is larger than `LARGEST_IMPORT`. */
export function tooLarge() {
  return unreadable(`it is larger than ${LARGEST_IMPORT / 2 ** 20} MiB`);
}
