import * as z from 'zod';
import { errorDataSchema, type ErrorData } from '../errors.ts';
import { runViewEventSchema, runViewSchema } from '../model/run-view.ts';
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

/**
 * The one contract between renderer, main process and the measuring process (the "core").
 * Every request is an entry of `requests`: its parameters and its answer, both parsed at the receiving side. The
 * entries stand in `requests/`, a file for each subject.
 */

/** Requests that the core answers; main only checks and passes them on. */
export const coreRequests = {
  ...coreRunRequests,
  ...corePresetRequests,
  ...coreResultRequests,
  ...coreShareRequests,
  ...coreHistoryRequests,
  ...coreWizardRequests,
  ...coreHousekeepingRequests,
  ...coreAppRequests,
} as const;

/** Requests that need the main process: dialogs, settings, versions. */
export const mainRequests = {
  ...mainAppRequests,
  ...mainPresetRequests,
  ...mainResultRequests,
  ...mainShareRequests,
  ...mainHistoryRequests,
  ...mainHousekeepingRequests,
  ...mainDiagnosticsRequests,
} as const;

/** Requests between main and core that the renderer can't make. */
export const internalRequests = {
  ...internalAppRequests,
  ...internalPresetRequests,
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

/** What a request comes back as; nothing is ever thrown across a process border. */
const envelopeSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: errorDataSchema }),
]);
export type Envelope = z.infer<typeof envelopeSchema>;

/** What the core tells without being asked. */
const coreEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run-event'), event: runViewEventSchema }),
  /** A run of before goes on: what it is then. Its events follow. */
  z.object({ type: z.literal('run-continues'), run: runViewSchema }),
  z.object({ type: z.literal('core-status'), status: z.enum(['up', 'restarted']) }),
]);
export type CoreEvent = z.infer<typeof coreEventSchema>;

/**
 * What the window is told without having asked: the core's events, menu commands that a screen carries out, and that the
 * machine was unplugged or plugged in.
 */
export type AppEvent =
  CoreEvent | { type: 'command'; command: MenuCommand } | { type: 'power'; onBattery: boolean };
export type MenuCommand =
  | 'new-comparison'
  | 'open-result'
  | 'open-given'
  | 'import-sysbench'
  | 'home'
  | 'history'
  | 'settings'
  | 'look-again'
  | RunCommand
  | 'method'
  | 'diagnostics'
  | 'about';

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

type CoreRequestName = keyof typeof coreRequests | keyof typeof internalRequests;

/** A handler for every request that the measuring process answers. */
export type Core = { [N in CoreRequestName]: (params: Params<N>) => Promise<Answer<N>> };
