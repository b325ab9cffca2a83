import * as z from 'zod';
import { saidSchema } from '../message.ts';
import { errorDataSchema } from '../errors.ts';
import {
  flushTimesSchema,
  OUTCOMES,
  ROUNDS_ENDED,
  serverFactsSchema,
  STEP_KINDS,
  TRIAL_PHASES,
} from './events.ts';
import { trialEvidenceSchema } from './evidence.ts';
import { sliceSchema, totalsSchema, windowSchema } from './measurements.ts';
import { momentSchema } from './moment.ts';
import { noticeSchema, planSchema } from './plan.ts';

const stepStateSchema = z.object({
  id: z.string(),
  kind: z.enum(STEP_KINDS),
  subject: z.string(),
  status: z.enum(['running', 'done', 'failed']),
  fraction: z.number().nullable(),
  detail: saidSchema,
  startedAt: momentSchema,
  finishedAt: momentSchema.nullable(),
  error: errorDataSchema.nullable(),
});
export type StepState = z.infer<typeof stepStateSchema>;

const steadinessSchema = z.object({
  seconds: z.number().int(),
  variation: z.number(),
  stalledSeconds: z.number().int(),
});
export type Steadiness = z.infer<typeof steadinessSchema>;

const trialStateSchema = z.object({
  id: z.string(),
  scenarioId: z.string(),
  round: z.number().int(),
  status: z.enum(['pending', 'running', 'measured', 'failed', 'canceled']),
  phase: z.enum(TRIAL_PHASES).nullable(),
  startedAt: momentSchema.nullable(),
  finishedAt: momentSchema.nullable(),
  windows: z.array(windowSchema),
  /** Slices by time; empty if not side by side. */
  slices: z.array(sliceSchema),
  /** Slices of a first look, which no result has. */
  firstLook: z.array(sliceSchema).optional(),
  /** A trial counts unless this is null, whatever its status. */
  totals: totalsSchema.nullable(),
  /** Null: too few measured seconds. */
  steadiness: steadinessSchema.nullable(),
  evidence: trialEvidenceSchema.nullable(),
  error: errorDataSchema.nullable(),
});
export type TrialState = z.infer<typeof trialStateSchema>;

const serverStateSchema = z.object({
  facts: serverFactsSchema.nullable(),
  log: z.array(z.string()),
});
export type ServerState = z.infer<typeof serverStateSchema>;

const pauseSchema = z.object({
  from: momentSchema,
  until: momentSchema.nullable(),
  /** True from a run's end to its continuation; false for a user's pause. */
  interrupted: z.boolean(),
});

export const runStateSchema = z.object({
  runId: z.string(),
  appVersion: z.string(),
  status: z.enum(['running', 'stopping', 'finished']),
  outcome: z.enum(OUTCOMES).nullable(),
  startedAt: momentSchema,
  finishedAt: momentSchema.nullable(),
  plan: planSchema,
  dataset: z.object({ bytes: z.number(), rows: z.number().int() }).nullable(),
  steps: z.array(stepStateSchema),
  servers: z.record(z.string(), serverStateSchema),
  hostFlush: flushTimesSchema.nullable(),
  trials: z.array(trialStateSchema),
  roundsEnded: z.enum(ROUNDS_ENDED).nullable(),
  pauseRequested: z.boolean(),
  pauses: z.array(pauseSchema),
  notices: z.array(noticeSchema),
  error: errorDataSchema.nullable(),
});
export type RunState = z.infer<typeof runStateSchema>;

export function isCurrent({ status, phase }: Pick<TrialState, 'status' | 'phase'>): boolean {
  return status === 'running' && phase !== null;
}

/** The trial that is measured now, or between slices was last; undefined: none. */
export function currentTrial(trials: readonly TrialState[]): TrialState | undefined {
  const running = trials.filter(({ status }) => status === 'running');
  const [latest] = [...running].sort((a, b) => (b.finishedAt ?? 0) - (a.finishedAt ?? 0));
  return running.find(isCurrent) ?? latest;
}
