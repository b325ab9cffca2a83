import { msg, type Message } from '../../shared/message.ts';
import {
  asContinued,
  latestPassport,
  machineDifference,
  trialsWithoutNumbers,
} from '../../shared/run/continuing.ts';
import type { Passport } from '../../shared/model/passport.ts';
import { imagesOf, plansOn } from '../../shared/model/plan.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { findNativeProgram } from '../servers/native/native-program.ts';
import type { ServerVersion } from '../servers/server-options.ts';
import { notContinuable } from '../store/run-store.ts';

interface Here {
  runtime: ContainerRuntime;
  further?: readonly ContainerRuntime[] | undefined;
  appVersion: string;
}

/**
 * Rejects with RUN_NOT_RESUMABLE if new numbers would not be comparable: another machine, engine, Whalemark,
 * image, or server. Resolves with the current passport if something was updated.
 */
export async function requireSameBench(
  state: RunState,
  { runtime, further = [], appVersion }: Here,
): Promise<Passport | undefined> {
  const { plan } = state;
  if (state.appVersion !== appVersion) {
    throw notContinuable(msg('continue.otherVersion', { before: state.appVersion, now: appVersion }));
  }
  const engines = plansOn(plan).map((own, index) => ({ own, runtime: further[index - 1] ?? runtime }));
  for (const [index, { own, runtime: here }] of engines.entries()) {
    const before = index === 0 ? latestPassport(state) : own.passport;
    const difference = machineDifference(before, here.passport);
    if (difference !== undefined) throw notContinuable(difference);
  }

  const next = asContinued(state, runtime.passport);
  const ids = new Set(trialsWithoutNumbers(next).map(({ scenarioId }) => scenarioId));
  const scenarios = plan.scenarios.filter(({ id }) => ids.has(id));
  for (const { own, runtime: here } of engines) {
    const left = own.scenarios.filter(({ id }) => ids.has(id));
    for (const { used, imageId } of imagesOf({ configs: own.configs, scenarios: left })) {
      if (imageId === null || (await here.images.inspect(imageId)) !== undefined) continue;
      const moved = (await here.images.inspect(used)) !== undefined;
      throw notContinuable(
        moved ? msg('continue.otherImage', { image: used }) : msg('continue.imageGone', { image: used }),
      );
    }
  }
  for (const { id, native } of plan.configs) {
    const isUsed = scenarios.some(({ configId, storage }) => configId === id && storage.kind === 'native');
    if (native !== null && isUsed) {
      requireSame(native, await findNativeProgram(native.binary, { env: {} }));
    }
  }
  return next === state ? undefined : runtime.passport;
}

function requireSame(before: ServerVersion, now: ServerVersion | { reason: Message }): void {
  if ('reason' in now) throw notContinuable(now.reason);
  const [was, is] = [`${before.flavor} ${before.version}`, `${now.flavor} ${now.version}`];
  if (was === is) return;
  throw notContinuable(msg('continue.changed', { what: msg('part.serverProgram'), before: was, now: is }));
}
