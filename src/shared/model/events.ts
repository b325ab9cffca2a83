import * as z from 'zod';
import { saidSchema } from '../message.ts';
import { errorDataSchema } from '../errors.ts';
import { trialEvidenceSchema } from './evidence.ts';
import { checkedTotalsSchema, sliceSchema, windowSchema } from './measurements.ts';
import { momentSchema } from './moment.ts';
import { imageChoiceSchema, noticeSchema, planSchema } from './plan.ts';

export const TRIAL_PHASES = ['start', 'connect', 'warmup', 'measure', 'stop'] as const;

export const STEP_KINDS = ['pull', 'build', 'init', 'load', 'clone', 'try', 'start', 'cleanup'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** Times of overwriting and flushing 4 KiB. */
export const flushTimesSchema = z.object({
  medianUs: z.number(),
  /** The percentile that other load changes the least. */
  p10Us: z.number(),
  p99Us: z.number(),
  /** Upper bounds of medians (99%) of a flush, and of its part in a write; null: too few. */
  mostUs: z.number().nullable(),
  mostAddedUs: z.number().nullable(),
  flushes: z.number().int(),
  /** Flushes, or writes if no disk has a cache; null: not counted. */
  disk: z.object({ commands: z.number().int(), hasCache: z.boolean() }).nullable(),
  isVirtual: z.boolean(),
});
export type FlushTimes = z.infer<typeof flushTimesSchema>;

export const serverFactsSchema = z.object({
  serverId: z.string(),
  version: z.string(),
  versionComment: z.string(),
  variables: z.record(z.string(), z.string()),
  options: z.array(z.string()),
  datadirFileSystem: z.string().nullable(),
  /** Time of the first start; null: not measured. */
  startMs: z.number().nullable(),
  /** Null: not measured, or on another server of the storage. */
  flushTimes: flushTimesSchema.nullable(),
});
export type ServerFacts = z.infer<typeof serverFactsSchema>;

export const OUTCOMES = ['completed', 'stopped', 'failed'] as const;

export const ROUNDS_ENDED = ['conclusive', 'budget'] as const;
export type RoundsEnded = (typeof ROUNDS_ENDED)[number];

const at = momentSchema;

export const windowEventSchema = z.object({
  type: z.literal('window'),
  at,
  trialId: z.string(),
  window: windowSchema,
});

export const runEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('run-started'),
    at,
    runId: z.string(),
    appVersion: z.string(),
    plan: planSchema,
  }),
  z.object({ type: z.literal('image-resolved'), at, engine: z.string(), image: imageChoiceSchema }),
  z.object({
    type: z.literal('step-started'),
    at,
    stepId: z.string(),
    kind: z.enum(STEP_KINDS),
    subject: z.string(),
  }),
  z.object({
    type: z.literal('step-progress'),
    at,
    stepId: z.string(),
    fraction: z.number().nullable(),
    detail: saidSchema,
  }),
  z.object({
    type: z.literal('step-finished'),
    at,
    stepId: z.string(),
    error: errorDataSchema.nullable(),
  }),
  z.object({ type: z.literal('server-facts'), at, facts: serverFactsSchema }),
  z.object({ type: z.literal('host-flush'), at, flush: flushTimesSchema }),
  z.object({ type: z.literal('server-log'), at, serverId: z.string(), lines: z.array(z.string()) }),
  z.object({ type: z.literal('dataset-loaded'), at, bytes: z.number(), rows: z.number().int() }),
  z.object({ type: z.literal('trial-started'), at, trialId: z.string() }),
  z.object({ type: z.literal('trial-phase'), at, trialId: z.string(), phase: z.enum(TRIAL_PHASES) }),
  windowEventSchema,
  z.object({ type: z.literal('trial-finished'), at, trialId: z.string(), totals: checkedTotalsSchema }),
  /** Totals so far; a slice without this event doesn't count. */
  z.object({
    type: z.literal('slice-finished'),
    at,
    trialId: z.string(),
    slice: sliceSchema,
    totals: checkedTotalsSchema,
  }),
  /** Slices while a round is still starting, whose passes are counted apart. */
  z.object({
    type: z.literal('first-look'),
    at,
    slices: z.record(z.string(), z.array(sliceSchema)),
  }),
  /** A separate event, so that losing it loses no trial. */
  z.object({ type: z.literal('trial-evidence'), at, trialId: z.string(), evidence: trialEvidenceSchema }),
  z.object({ type: z.literal('trial-failed'), at, trialId: z.string(), error: errorDataSchema }),
  /** The trial is measured again at the end of its round. */
  z.object({ type: z.literal('trial-lost'), at, trialId: z.string(), error: errorDataSchema }),
  z.object({ type: z.literal('notice'), at, notice: noticeSchema }),
  z.object({
    type: z.literal('rounds-ended'),
    at,
    after: z.number().int(),
    because: z.enum(ROUNDS_ENDED),
  }),
  /** Scenarios that later rounds leave out. */
  z.object({
    type: z.literal('scenarios-decided'),
    at,
    after: z.number().int(),
    scenarioIds: z.array(z.string()),
  }),
  z.object({ type: z.literal('pause-requested'), at }),
  /** No server runs until `run-resumed`. */
  z.object({ type: z.literal('run-paused'), at }),
  z.object({ type: z.literal('run-resumed'), at }),
  z.object({ type: z.literal('stop-requested'), at }),
  z.object({
    type: z.literal('run-finished'),
    at,
    outcome: z.enum(OUTCOMES),
    error: errorDataSchema.nullable(),
  }),
  /** The only event that counts after `run-finished`. */
  z.object({
    type: z.literal('run-continued'),
    at,
    from: z.number(),
    owner: z.string(),
  }),
]);
export type RunEvent = z.infer<typeof runEventSchema>;
