import { randomBytes } from 'node:crypto';
import { toErrorData, type ErrorData } from '../../shared/errors.ts';
import type { RunEvent, StepKind } from '../../shared/model/events.ts';
import { trialsWithoutNumbers } from '../../shared/run/continuing.ts';
import type { Plan, Scenario } from '../../shared/model/plan.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { continuedAt } from '../../shared/run/pauses.ts';
import type { DatasetCache } from '../dataset/dataset-cache.ts';
import type { ContainerRuntime, Progress } from '../runtime/container-runtime.ts';
import type { ServerBudgets } from '../target/target-server.ts';
import type { RunControl } from './run-control.ts';

/** `RunEvent` without the time, which is set where events leave. */
export type UntimedEvent = RunEvent extends infer E ? (E extends RunEvent ? Omit<E, 'at'> : never) : never;

/** What a run needs to know and no plan, journal or result may hold. */
export interface RunSecrets {
  /** Address and account of an external server, as a URL. */
  dsn?: string | undefined;
}

/** What every part of a running plan needs. */
export interface RunContext {
  readonly plan: Plan;
  runId: string;
  runtime: ContainerRuntime;
  appVersion: string;
  /** Folder in which bind mounts are made. */
  bindRoot: string;
  /** Our data folder. */
  dataDir?: string | undefined;
  /** The bundled load client. */
  clientFile: string;
  clientImageFiles: Record<string, string>;
  /** Datasets of earlier runs; undefined: nothing is kept. */
  datasets: DatasetCache | undefined;
  /** Load anew even what is kept. */
  freshDataset: boolean;
  budgets: ServerBudgets;
  secrets: RunSecrets;
  /** Has a word taken out of everything that the run tells from here on. */
  hide: (word: string) => void;
  emit: (event: UntimedEvent) => void;
  /** What the user asks of the run while it goes on. */
  control: RunControl;
  signal: AbortSignal;
  /** The run as it stood when it was gone on with; undefined for one that begins. */
  earlier?: RunState | undefined;
}

/** What servers and clients of a run have in common. */
export interface ClientKit {
  /** Undefined when no scenario needs a client container. */
  image: string | undefined;
  prefix: string;
  labels: (role: string) => Record<string, string>;
  /** Names of the run's networks. */
  networks: { bridge: string; overlay: string | undefined };
}

/** The scenarios that have trials to be measured. */
export function scenariosLeft({ plan, earlier }: Pick<RunContext, 'plan' | 'earlier'>): Scenario[] {
  if (earlier === undefined) return plan.scenarios;
  const left = new Set(trialsWithoutNumbers(earlier).map(({ scenarioId }) => scenarioId));
  return plan.scenarios.filter(({ id }) => left.has(id));
}

/** What everything is called that the run makes: other names each time it goes on, so that nothing left is in its way. */
export function nameOfRun({ runId, earlier }: Pick<RunContext, 'runId' | 'earlier'>): string {
  return earlier === undefined ? runId : `${runId}-${continuedAt(earlier).length + 1}`;
}

/** A password that nobody knows yet, and that the run never tells. */
export function newPassword({ hide }: Pick<RunContext, 'hide'>): string {
  const password = randomBytes(18).toString('base64url');
  hide(password);
  return password;
}

/** Runs one step of the preparation and tells how it goes. */
export async function step<T>(
  context: Pick<RunContext, 'emit'>,
  kind: StepKind,
  subject: string,
  work: (progress: (progress: Progress) => void) => Promise<T>,
): Promise<T> {
  const stepId = `${kind}:${subject}`;
  context.emit({ type: 'step-started', stepId, kind, subject });
  let error: ErrorData | null = null;
  try {
    return await work(({ fraction, detail }) =>
      context.emit({ type: 'step-progress', stepId, fraction, detail }),
    );
  } catch (thrown) {
    error = toErrorData(thrown);
    throw thrown;
  } finally {
    context.emit({ type: 'step-finished', stepId, error });
  }
}
