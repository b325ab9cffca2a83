import { open, readFile, stat, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { analyze } from '../../shared/analysis/analyze.ts';
import { recentRunSchema, type RecentRun } from '../../shared/model/history-entry.ts';
import { scenarioCount } from '../../shared/model/plan.ts';
import { runStateSchema, trialStateSchema, type RunOutline } from '../../shared/model/run-state.ts';
import {
  eachColumn,
  WINDOW_COLUMNS,
  windowColumnsSchema,
  type RunView,
} from '../../shared/model/run-view.ts';
import { failedTrials } from '../../shared/run/failures.ts';
import { serverNames } from '../../shared/words/provenance.ts';
import { runHeadlineOf } from '../../shared/run/run-view.ts';
import { replaceFile } from '../files/replace-file.ts';

/**
 * A cache of what the window shows of a run. Counts as missing if broken or made from another file. Two lines of
 * JSON: the list entry, and the view with columns as base64 of little-endian 32-bit floats.
 */
const FORMAT = 'whalemark-view';
/** 7: fewer columns. */
const VERSION = 7;
const HEAD_BYTES = 64 * 1024;

const headSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  source: z.object({ bytes: z.number(), modifiedMs: z.number() }),
  run: recentRunSchema,
});

const columnSchema = z.string().transform((text) => decoded(text));
const storedViewSchema = runStateSchema.extend({
  trials: z.array(
    trialStateSchema.extend({
      windows: windowColumnsSchema
        .extend(eachColumn(() => columnSchema))
        .refine((windows) => WINDOW_COLUMNS.every((column) => windows[column].length === windows.length)),
    }),
  ),
});

export interface ListedView {
  run: RecentRun | null;
  view: RunView;
}

export function listedViewOf(view: RunView): ListedView {
  return { run: recentRunOf(view), view };
}

export function listedViewText({ run, view }: ListedView): string {
  return `${JSON.stringify(run)}\n${viewText(view)}`;
}

export function listedViewFromText(text: string): ListedView {
  const end = text.indexOf('\n');
  return {
    run: recentRunSchema.nullable().parse(JSON.parse(text.slice(0, end))),
    view: viewFromText(text.slice(end)),
  };
}

export function recentRunOf(run: RunOutline): RecentRun | null {
  const { runId, plan, startedAt, outcome } = run;
  if (outcome === null) return null;
  const { name, vm, rootless, cpus, memoryBytes } = plan.passport.runtime;
  return {
    runId,
    name: plan.preset.name,
    startedAt,
    outcome,
    scenarios: scenarioCount(plan),
    failed: failedTrials(run).length,
    headline: runHeadlineOf(analyze(run)),
    machine: { name, vm, rootless, cpus, memoryBytes },
    servers: serverNames(plan),
  };
}

export async function saveView(path: string, sourcePath: string, { run, view }: ListedView): Promise<void> {
  if (run === null) return;
  const head = { format: FORMAT, version: VERSION, source: await identityOf(sourcePath), run };
  await replaceFile(path, (draft) => writeFile(draft, `${JSON.stringify(head)}\n${viewText(view)}\n`));
}

function viewText(view: RunView): string {
  return JSON.stringify(view, (_, one: unknown) => (one instanceof Float32Array ? encoded(one) : one));
}

function viewFromText(text: string): RunView {
  return storedViewSchema.parse(JSON.parse(text));
}

export async function loadView(path: string, sourcePath: string): Promise<RunView | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    const end = text.indexOf('\n');
    if (!(await isOf(headSchema.parse(JSON.parse(text.slice(0, end))), sourcePath))) return undefined;
    return viewFromText(text.slice(end));
  } catch {
    return undefined;
  }
}

export async function loadRecentRun(path: string, sourcePath: string): Promise<RecentRun | undefined> {
  try {
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      const [line = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 1);
      const head = headSchema.parse(JSON.parse(line));
      return (await isOf(head, sourcePath)) ? head.run : undefined;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

async function isOf({ source }: z.infer<typeof headSchema>, sourcePath: string): Promise<boolean> {
  const { bytes, modifiedMs } = await identityOf(sourcePath);
  return source.bytes === bytes && source.modifiedMs === modifiedMs;
}

async function identityOf(sourcePath: string): Promise<{ bytes: number; modifiedMs: number }> {
  const { size, mtimeMs } = await stat(sourcePath);
  return { bytes: size, modifiedMs: mtimeMs };
}

/** All supported platforms are little-endian. */
function encoded(column: Float32Array): string {
  return Buffer.from(column.buffer, column.byteOffset, column.byteLength).toString('base64');
}

function decoded(text: string): Float32Array<ArrayBuffer> {
  const bytes = Buffer.from(text, 'base64');
  const column = new Float32Array(Math.floor(bytes.length / Float32Array.BYTES_PER_ELEMENT));
  new Uint8Array(column.buffer).set(bytes.subarray(0, column.byteLength));
  return column;
}
