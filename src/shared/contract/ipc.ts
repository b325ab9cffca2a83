import * as z from 'zod';
import { errorDataSchema, type ErrorData } from '../errors.ts';
import { runEventSchema } from '../model/events.ts';
import { runStateSchema } from '../model/run-state.ts';
import * as app from './requests/app.ts';
import * as databases from './requests/databases.ts';
import * as presets from './requests/presets.ts';
import * as runs from './requests/runs.ts';
import * as tasks from './requests/tasks.ts';

/** Main passes these to the core; the receiver parses parameters and answers. */
const coreRequests = { ...runs.core, ...presets.core, ...databases.core, ...app.core } as const;

/** Main completes these with a chosen file's path; null: canceled. */
const fileRequests = { ...runs.file, ...presets.file, ...databases.file, ...app.file } as const;

export const mainRequests = { ...runs.main, ...tasks.main, ...app.main, ...fileRequests } as const;

const internalRequests = { ...runs.internal, ...tasks.internal, ...app.internal } as const;

export const requests = { ...coreRequests, ...mainRequests } as const;
export const allRequests = { ...requests, ...internalRequests } as const;
export type RequestName = keyof typeof requests;
export type FileRequestName = keyof typeof fileRequests;
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
  /** The last lines of a failed command, which no file keeps. */
  z.object({ type: z.literal('command-failed'), lines: z.array(z.string()) }),
  z.object({ type: z.literal('core-status'), status: z.literal('restarted') }),
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
  | app.RunCommand
  | 'method'
  | 'diagnostics'
  | 'about';

export type AnswerEnvelope<N extends AnyRequestName> =
  { ok: true; value: Answer<N> } | { ok: false; error: ErrorData };

/** Answers are envelopes, because errors lose all but their message in the context bridge. */
export interface WhalemarkApi {
  request<N extends RequestName>(name: N, params: Params<N>): Promise<AnswerEnvelope<N>>;
  /** The unsubscribing function; events before the first listener are kept. */
  onEvent(listener: (event: AppEvent) => void): () => void;
}

export const coreMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('request'), id: z.number(), name: z.string(), params: z.unknown() }),
  z.object({ kind: z.literal('answer'), id: z.number(), envelope: envelopeSchema }),
  z.object({ kind: z.literal('event'), event: coreEventSchema }),
]);
export type CoreMessage = z.infer<typeof coreMessageSchema>;

type Known<P> = { [K in keyof P as string extends K ? never : K]: P[K] };

export type Core = {
  [N in keyof typeof coreRequests | keyof typeof internalRequests]: (params: Params<N>) => Promise<Answer<N>>;
} & { [N in FileRequestName]: (params: Known<Params<N>> & { path: string }) => Promise<Answer<N>> };
