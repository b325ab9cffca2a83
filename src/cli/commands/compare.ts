import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { RunStore } from '../../benchmark/runs/run-store.ts';
import { readResultFile } from '../../benchmark/runs/result-process.ts';
import { MOST_RUNS } from '../../shared/words/compare-wording.ts';
import { parse, usage } from '../options/args.ts';
import { comparisonSummary, renderComparison, type NamedRun } from '../text/compare-text.ts';
import { EXIT } from '../exit-codes.ts';
import { paths } from '../installation.ts';
import { print, printJson } from '../text/terminal.ts';

/** Ids that runs get: other text is meant as a file. */
const RUN_ID = /^\d{8}-\d{6}-\w+$/;

/** `whalemark compare A B …`: result files or ids of runs of the history; the others with the first. */
export async function compareCommand(argv: string[]): Promise<number> {
  const { values, positionals } = parse(argv, { json: { type: 'boolean' } }, MOST_RUNS);
  if (positionals.length < 2)
    throw usage('Name two or more result files, or ids of runs (see: whalemark history).');
  const named: NamedRun[] = [];
  // One after the other: each may take hundreds of megabytes while it is read.
  for (const source of positionals) named.push({ source, state: await open(source) });
  if (values.json === true) printJson(comparisonSummary(named));
  else print(renderComparison(named));
  return EXIT.done;
}

function open(source: string): Promise<NamedRun['state']> {
  return RUN_ID.test(source) && !existsSync(source)
    ? new RunStore(paths.dataDir).load(source)
    : readResultFile(source, basename(source));
}
