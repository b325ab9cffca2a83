import { randomBytes } from 'node:crypto';
import { type BenchmarkError, toErrorData, type ErrorData } from '../../shared/errors.ts';
import type { RunEvent, StepKind } from '../../shared/model/events.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { continuedAt } from '../../shared/run/progress.ts';
import type { DatasetCache } from '../servers/dataset/dataset-cache.ts';
import type { ClientKind } from '../load/client-image.ts';
import type { ContainerRuntime, Progress } from '../runtime/container-runtime.ts';
import type { ServerBudgets } from '../servers/target-server.ts';
import type { OwnTask } from './own-task.ts';
import type { RunControl } from './run-control.ts';

export type UntimedEvent = RunEvent extends infer E ? (E extends RunEvent ? Omit<E, 'at'> : never) : never;

export type ClientImages = Partial<Record<ClientKind, string | BenchmarkError>>;

export interface RunContext {
  readonly plan: Plan;
  runId: string;
  runtime: ContainerRuntime;
  /** The plan's engines in its order, and `client`. */
  engines: readonly ContainerRuntime[];
  appVersion: string;
  bindRoot: string;
  dataDir?: string | undefined;
  clientFile: string;
  clientImageFiles: Record<string, string>;
  datasetsOn: (engine: ContainerRuntime) => DatasetCache | undefined;
  /** The engine of another swarm node. */
  client?: ContainerRuntime | undefined;
  budgets: ServerBudgets;
  own?: OwnTask | undefined;
  hide: (word: string) => void;
  emit: (event: UntimedEvent) => void;
  control: RunControl;
  signal: AbortSignal;
  earlier?: RunState | undefined;
}

export type WholeRun = Omit<RunContext, 'runtime'>;

interface ClientEngine {
  runtime: ContainerRuntime;
  clientImages: ClientImages;
}

export interface ClientKit extends ClientEngine {
  otherNode?: ClientEngine | undefined;
  prefix: string;
  labels: (role: string) => Record<string, string>;
  networks: { bridge: string; overlay: string | undefined };
}

export function nameOfRun({ runId, earlier }: Pick<RunContext, 'runId' | 'earlier'>): string {
  return earlier === undefined ? runId : `${runId}-${continuedAt(earlier).length + 1}`;
}

export function newPassword({ hide }: Pick<RunContext, 'hide'>): string {
  const password = randomBytes(18).toString('base64url');
  hide(password);
  return password;
}

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
