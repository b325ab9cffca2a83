import * as z from 'zod';
import { errorDataSchema, type ErrorData } from './errors.ts';
import { importedFileSchema } from './model/imported.ts';
import { CONSENTS, planSchema } from './model/plan.ts';
import { runtimeReportSchema } from './model/passport.ts';
import { runViewEventSchema, runViewSchema } from './model/run-view.ts';

/**
 * The one contract between renderer, main process and the measuring process (the "core").
 * Every request is an entry of `requests`: its parameters and its answer, both parsed at the receiving side.
 */

export const EXPORT_FORMATS = ['csv', 'windows-csv', 'png', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const presetSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  question: z.string(),
  /** False: a preset of the user's own, in the data folder. */
  builtIn: z.boolean(),
  hasShort: z.boolean(),
  /** The published experiment that it repeats; null for all others. */
  reference: z.object({ title: z.string(), source: z.string(), date: z.string() }).nullable(),
  /** Why a preset of the user's own can't be used; then nothing else of it is known but its file's name. */
  error: errorDataSchema.optional(),
});
export type PresetSummary = z.infer<typeof presetSummarySchema>;

/** A finished run in the list of recent ones. */
export const recentRunSchema = z.object({
  runId: z.string(),
  name: z.string(),
  startedAt: z.number(),
  outcome: z.enum(['completed', 'stopped', 'failed']),
  scenarios: z.number().int(),
});
export type RecentRun = z.infer<typeof recentRunSchema>;

/** An imported measurement in the list of recent ones. */
const recentImportSchema = z.object({
  importId: z.string(),
  name: z.string(),
  importedAt: z.number(),
  /** How many runs of sysbench it holds. */
  runs: z.number().int(),
});
export type RecentImport = z.infer<typeof recentImportSchema>;

const recentEntrySchema = z.discriminatedUnion('kind', [
  recentRunSchema.extend({ kind: z.literal('run') }),
  recentImportSchema.extend({ kind: z.literal('import') }),
]);
export type RecentEntry = z.infer<typeof recentEntrySchema>;

/** Something that is wrong with the text of a preset. */
const presetProblemSchema = z.object({
  /** 1-based; null when it belongs to no line. */
  line: z.number().int().nullable(),
  message: z.string(),
});
export type PresetProblem = z.infer<typeof presetProblemSchema>;

const appInfoSchema = z.object({
  version: z.string(),
  electron: z.string(),
  chrome: z.string(),
  node: z.string(),
  platform: z.string(),
});

const nothing = z.undefined().or(z.null());

/** Requests that the core answers; main only checks and passes them on. */
export const coreRequests = {
  /** Looks for runtimes anew; `preferId` uses that one if it is usable. */
  'runtimes:look': {
    params: z.strictObject({ preferId: z.string().optional() }),
    answer: runtimeReportSchema,
  },
  'presets:list': { params: z.strictObject({}), answer: z.array(presetSummarySchema) },
  /** The YAML text of a preset, built-in or the user's own, sound or not. */
  'presets:text': { params: z.strictObject({ id: z.string() }), answer: z.object({ text: z.string() }) },
  /** What is wrong with a text; empty: it can be saved. */
  'presets:check': {
    params: z.strictObject({ text: z.string(), id: z.string() }),
    answer: z.array(presetProblemSchema),
  },
  /** Saves the text in place of the user's preset `id`; the answer is the id that the preset has from now on. */
  'presets:save': {
    params: z.strictObject({ id: z.string(), text: z.string() }),
    answer: z.object({ id: z.string() }),
  },
  /** Copies a preset, built-in or not, to one of the user's own. */
  'presets:duplicate': {
    params: z.strictObject({ id: z.string() }),
    answer: z.object({ id: z.string() }),
  },
  /** Removes a preset of the user's own. */
  'presets:delete': { params: z.strictObject({ id: z.string() }), answer: nothing },
  'plan:make': {
    params: z.strictObject({
      presetId: z.string(),
      mode: z.enum(['full', 'short']),
      /** Another server image than the preset's. */
      image: z.string().optional(),
      /** Go on until every comparison is settled, for so many minutes of measuring at the most. */
      untilSettledMinutes: z.number().min(1).max(10_080).optional(),
      runtimeId: z.string().optional(),
    }),
    answer: planSchema,
  },
  /** Starts a plan that `plan:make` gave; `consents` must hold every one that the plan asks for. */
  'run:start': {
    params: z.strictObject({ planId: z.string(), consents: z.array(z.enum(CONSENTS)).default([]) }),
    answer: z.object({ runId: z.string() }),
  },
  'run:stop': { params: z.strictObject({}), answer: nothing },
  /** The run that goes on, or the last one of this session. */
  'run:current': { params: z.strictObject({}), answer: runViewSchema.nullable() },
  /** The latest first. */
  'results:recent': { params: z.strictObject({}), answer: z.array(recentEntrySchema) },
  'results:load': { params: z.strictObject({ runId: z.string() }), answer: runViewSchema },
  /** Reads what sysbench printed and keeps its figures. */
  'imports:parse-and-store': {
    params: z.strictObject({ text: z.string(), name: z.string().min(1) }),
    answer: importedFileSchema,
  },
  'imports:load': { params: z.strictObject({ importId: z.string() }), answer: importedFileSchema },
  /** Local server images that could stand in for an unreachable one. */
  'images:local': { params: z.strictObject({}), answer: z.array(z.string()) },
} as const;

/** Requests that need the main process: dialogs and versions. */
export const mainRequests = {
  'app:info': { params: z.strictObject({}), answer: appInfoSchema },
  /** Asks for a result file and opens it; null when the user cancels. */
  'results:open': { params: z.strictObject({}), answer: runViewSchema.nullable() },
  /** Asks where to save and writes the export; the answer is the file's name, or null when the user cancels. */
  'results:export': {
    params: z.strictObject({ runId: z.string(), format: z.enum(EXPORT_FORMATS) }),
    answer: z.object({ fileName: z.string() }).nullable(),
  },
  /** Asks for a preset file and keeps it as one of the user's own; null when the user cancels. */
  'presets:import': { params: z.strictObject({}), answer: z.object({ id: z.string() }).nullable() },
  /** Asks where to save and writes the preset's text; null when the user cancels. */
  'presets:export': {
    params: z.strictObject({ id: z.string() }),
    answer: z.object({ fileName: z.string() }).nullable(),
  },
  /** Asks for a file that sysbench printed and imports it; null when the user cancels. */
  'imports:open-file': { params: z.strictObject({}), answer: importedFileSchema.nullable() },
} as const;

/** Requests between main and core that the renderer can't make. */
export const internalRequests = {
  /** Reads and keeps a result file, so that it can be exported like one of ours. */
  'core:open-result': { params: z.strictObject({ path: z.string() }), answer: runViewSchema },
  'core:export': {
    params: z.strictObject({ runId: z.string(), format: z.enum(EXPORT_FORMATS), path: z.string() }),
    answer: nothing,
  },
  'core:import-preset': {
    params: z.strictObject({ path: z.string() }),
    answer: z.object({ id: z.string() }),
  },
  'core:export-preset': { params: z.strictObject({ id: z.string(), path: z.string() }), answer: nothing },
  'core:import-file': { params: z.strictObject({ path: z.string() }), answer: importedFileSchema },
  /** Stops whatever runs and cleans up, before the app quits. */
  'core:shut-down': { params: z.strictObject({}), answer: nothing },
} as const;

export const requests = { ...coreRequests, ...mainRequests } as const;
export const allRequests = { ...requests, ...internalRequests } as const;
export type RequestName = keyof typeof requests;
export type AnyRequestName = keyof typeof allRequests;
export type Params<N extends AnyRequestName> = z.infer<(typeof allRequests)[N]['params']>;
export type Answer<N extends AnyRequestName> = z.infer<(typeof allRequests)[N]['answer']>;

/** What a request comes back as; nothing is ever thrown across a process border. */
const envelopeSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: errorDataSchema }),
]);
export type Envelope = z.infer<typeof envelopeSchema>;

/** What the core tells without being asked. */
const coreEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run-event'), event: runViewEventSchema }),
  z.object({ type: z.literal('core-status'), status: z.enum(['up', 'restarted']) }),
]);
export type CoreEvent = z.infer<typeof coreEventSchema>;

/** What the window is told without having asked: the core's events, and menu commands that a screen carries out. */
export type AppEvent = CoreEvent | { type: 'command'; command: MenuCommand };
export type MenuCommand = 'open-result' | 'import-sysbench' | 'look-again';

/** An envelope whose value has been parsed by the main process. */
export type AnswerEnvelope<N extends AnyRequestName> =
  { ok: true; value: Answer<N> } | { ok: false; error: ErrorData };

/**
 * `window.whalemark`: all that the renderer can do outside its sandbox. Envelopes pass as they are, because an
 * error loses everything but its message on the way through the context bridge.
 */
export interface WhalemarkApi {
  request<N extends RequestName>(name: N, params: Params<N>): Promise<AnswerEnvelope<N>>;
  /** Returns a function that ends the subscription. Events that came before the first listener are not lost. */
  onEvent(listener: (event: AppEvent) => void): () => void;
}

/** Messages between main process and core. */
export const coreMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('request'), id: z.number(), name: z.string(), params: z.unknown() }),
  z.object({ kind: z.literal('answer'), id: z.number(), envelope: envelopeSchema }),
  z.object({ kind: z.literal('event'), event: coreEventSchema }),
]);
export type CoreMessage = z.infer<typeof coreMessageSchema>;
