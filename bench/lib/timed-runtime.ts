import type { ContainerRuntime } from '../../src/benchmark/runtime/container-runtime.ts';

/** One question to the engine, from asking to the answer; ms of `Date.now`, as events are. */
export interface EngineCall {
  method: string;
  startMs: number;
  endMs: number;
}

/** What lasts as long as a server runs is no work of the engine's. */
const LASTING: ReadonlySet<string> = new Set(['followLogs', 'wait']);

/** The runtime with a note of every call's time; nothing else about it changes. */
export function timedRuntime(runtime: ContainerRuntime): { runtime: ContainerRuntime; calls: EngineCall[] } {
  const calls: EngineCall[] = [];
  const timed = <T extends object>(client: T): T =>
    new Proxy(client, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown => {
          const startMs = performance.timeOrigin + performance.now();
          const answer: unknown = member.apply(target, args);
          const method = String(name);
          if (answer instanceof Promise && !LASTING.has(method)) {
            const note = (): void => {
              calls.push({ method, startMs, endMs: performance.timeOrigin + performance.now() });
            };
            answer.then(note, note);
          }
          return answer;
        };
      },
    });
  const { id, endpoint, passport } = runtime;
  const clients = {
    images: timed(runtime.images),
    networks: timed(runtime.networks),
    volumes: timed(runtime.volumes),
    containers: timed(runtime.containers),
    swarm: timed(runtime.swarm),
  };
  const own = {
    ping: () => runtime.ping(),
    dataRoot: () => runtime.dataRoot(),
    listOwned: () => runtime.listOwned(),
  };
  return { runtime: { id, endpoint, passport, ...clients, ...timed(own) }, calls };
}
