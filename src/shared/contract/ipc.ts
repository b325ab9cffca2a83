import * as z from 'zod';
import { errorDataSchema, type ErrorData } from '../errors.ts';
import { runEventSchema } from '../model/events.ts';
import { runStateSchema } from '../model/run-state.ts';
import {
  coreAppRequests,
  coreHousekeepingRequests,
  coreShareRequests,
  internalAppRequests,
  internalDiagnosticsRequests,
  internalShareRequests,
  mainAppRequests,
  mainDiagnosticsRequests,
  mainHousekeepingRequests,
  mainShareRequests,
  type RunCommand,
} from './requests/app.ts';
import {
  coreHistoryRequests,
  coreResultRequests,
  coreRunRequests,
  internalHistoryRequests,
  internalResultRequests,
  mainHistoryRequests,
  mainResultRequests,
} from './requests/runs.ts';
import {
  corePresetRequests,
  coreWizardRequests,
  internalPresetRequests,
  mainPresetRequests,
} from './requests/presets.ts';
import {
  coreDatabaseRequests,
  internalDatabaseRequests,
  mainDatabaseRequests,
} from './requests/databases.ts';
import { internalTaskRequests, mainTaskRequests } from './requests/tasks.ts';

/** Parameters and answer of each request are parsed by their receiver. */

export const coreRequests = {
  ...coreRunRequests,
  ...corePresetRequests,
  ...coreResultRequests,
  ...coreShareRequests,
  ...coreHistoryRequests,
  ...coreWizardRequests,
  ...coreDatabaseRequests,
  ...coreHousekeepingRequests,
  ...coreAppRequests,
} as const;

export const mainRequests = {
  ...mainAppRequests,
  ...mainPresetRequests,
  ...mainDatabaseRequests,
  ...mainTaskRequests,
  ...mainResultRequests,
  ...mainShareRequests,
  ...mainHistoryRequests,
  ...mainHousekeepingRequests,
  ...mainDiagnosticsRequests,
} as const;

export const internalRequests = {
  ...internalAppRequests,
  ...internalPresetRequests,
  ...internalDatabaseRequests,
  ...internalTaskRequests,
  ...internalResultRequests,
  ...internalShareRequests,
  ...internalHistoryRequests,
  ...internalDiagnosticsRequests,
} as const;

export const requests = { ...coreRequests, ...mainRequests } as const;
export const allRequests = { ...requests, ...internalRequests } as const;
export type RequestName = keyof typeof requests;
export type AnyRequestName = keyof typeof allRequests;
export type Params<N extends AnyRequestName> = z.infer<(typeof allRequests)[N]['params']>;
export type Answer<N extends AnyRequestName> = z.infer<(typeof allRequests)[N]['answer']>;

const envelopeSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: errorDataSchema }),
]);
export type Envelope = z.infer<typeof envelopeSchema>;

const coreEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run-event'), event: runEventSchema }),
  z.object({ type: z.literal('run-continues'), run: runStateSchema }),
  /** The last lines of a command that failed; no file has them. */
  z.object({ type: z.literal('command-failed'), lines: z.array(z.string()) }),
  z.object({ type: z.literal('core-status'), status: z.enum(['up', 'restarted']) }),
]);
export type CoreEvent = z.infer<typeof coreEventSchema>;

export type AppEvent =
  CoreEvent | { type: 'command'; command: MenuCommand } | { type: 'power'; onBattery: boolean };
export type MenuCommand =
  | 'new-comparison'
  | 'open-result'
  | 'open-given'
  | 'home'
  | 'history'
  | 'settings'
  | 'look-again'
  | RunCommand
  | 'method'
  | 'diagnostics'
  | 'about';

export type AnswerEnvelope<N extends AnyRequestName> =
  { ok: true; value: Answer<N> } | { ok: false; error: ErrorData };

/** `window.whalemark`. Envelopes are passed as they are: errors lose all but their message in the context bridge. */
export interface WhalemarkApi {
  request<N extends RequestName>(name: N, params: Params<N>): Promise<AnswerEnvelope<N>>;
  /** Returns a function that unsubscribes. Events before the first listener are kept. */
  onEvent(listener: (event: AppEvent) => void): () => void;
}

export const coreMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('request'), id: z.number(), name: z.string(), params: z.unknown() }),
  z.object({ kind: z.literal('answer'), id: z.number(), envelope: envelopeSchema }),
  z.object({ kind: z.literal('event'), event: coreEventSchema }),
]);
export type CoreMessage = z.infer<typeof coreMessageSchema>;

type CoreRequestName = keyof typeof coreRequests | keyof typeof internalRequests;

export type Core = { [N in CoreRequestName]: (params: Params<N>) => Promise<Answer<N>> };
