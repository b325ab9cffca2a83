import { BenchmarkError, toErrorData } from '../../shared/errors.ts';
import {
  mainRequests,
  requests,
  type Answer,
  type Core,
  type Envelope,
  type Params,
  type RequestName,
} from '../../shared/contract/ipc.ts';

type MainRequestName = keyof typeof mainRequests;

declare const unparsed: unique symbol;
interface Unparsed {
  readonly [unparsed]: true;
}

export type MainHandlers = { [N in MainRequestName]: (params: Params<N>) => Promise<Answer<N> | Unparsed> };

export type AskCore = (name: string, params: unknown) => Promise<Envelope>;

export function createRouter(
  askCore: AskCore,
  handlers: MainHandlers,
): (name: unknown, params: unknown) => Promise<Envelope> {
  return async (name, params) => {
    if (!isRequestName(name)) return refused(`there is no request “${String(name)}”`, []);
    const parsed = requests[name].params.safeParse(params);
    if (!parsed.success) return refused(`“${name}” was asked with wrong parameters`, issuesOf(parsed.error));
    const envelope = isMainRequest(name)
      ? await answered(() => (handlers[name] as (params: unknown) => Promise<unknown>)(parsed.data))
      : await askCore(name, parsed.data);
    if (!envelope.ok) return envelope;
    const answer = requests[name].answer.safeParse(envelope.value);
    return answer.success
      ? { ok: true, value: answer.data }
      : refused(`“${name}” was answered with something unexpected`, issuesOf(answer.error));
  };
}

export async function valueFromCore<N extends keyof Core>(
  askCore: AskCore,
  name: N,
  params: Parameters<Core[N]>[0],
): Promise<Unparsed> {
  const envelope = await askCore(name, params);
  if (!envelope.ok) throw new CoreRefusal(envelope);
  return envelope.value as Unparsed;
}

class CoreRefusal extends Error {
  readonly envelope: Envelope;
  constructor(envelope: Envelope) {
    super('refused by the core');
    this.envelope = envelope;
  }
}

async function answered(handler: () => Promise<unknown>): Promise<Envelope> {
  try {
    return { ok: true, value: await handler() };
  } catch (error) {
    return error instanceof CoreRefusal ? error.envelope : { ok: false, error: toErrorData(error) };
  }
}

function isRequestName(name: unknown): name is RequestName {
  return typeof name === 'string' && Object.hasOwn(requests, name);
}

function isMainRequest(name: RequestName): name is MainRequestName {
  return Object.hasOwn(mainRequests, name);
}

function refused(reason: string, evidence: string[]): Envelope {
  return { ok: false, error: toErrorData(new BenchmarkError('INTERNAL', { reason }, { evidence })) };
}

function issuesOf(error: { issues: { path: PropertyKey[]; message: string }[] }): string[] {
  return error.issues.map(({ path, message }) => `${path.map(String).join('.') || '(whole)'}: ${message}`);
}
