import { msg, type Message, type MessageCode, type Said } from '../../shared/message.ts';
import type { Passport } from '../../shared/model/passport.ts';
import { imagesOf, plansOn } from '../../shared/model/plan.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { formatBytes } from '../../shared/units.ts';
import type { Engines } from '../runtime/container-runtime.ts';
import { findNativeProgram } from '../servers/native/native-program.ts';
import type { ServerVersion } from '../servers/server-options.ts';
import { notContinuable } from '../store/run-store.ts';

interface Here extends Engines {
  appVersion: string;
}

/** Rejects with RUN_NOT_RESUMABLE if new numbers would not be comparable. */
export async function requireSameBench(
  { plan, appVersion: before }: RunState,
  { engines, client, appVersion: now }: Here,
): Promise<void> {
  if (before !== now) throw notContinuable(msg('continue.otherVersion', { before, now }));
  if (plan.clientEngine !== null && client !== undefined) {
    const difference = machineDifference(plan.clientEngine.passport, client.passport);
    if (difference !== undefined) throw notContinuable(difference);
  }
  for (const [index, own] of plansOn(plan).entries()) {
    const here = engines[index] ?? engines[0];
    const difference = machineDifference(own.engines[0].passport, here.passport);
    if (difference !== undefined) throw notContinuable(difference);
    for (const { used: image, imageId } of imagesOf(own)) {
      if (imageId === null || (await here.images.inspect(imageId)) !== undefined) continue;
      throw notContinuable(msg('continue.imageGone', { image }));
    }
  }
  for (const { id, native } of plan.configs) {
    const isUsed = plan.scenarios.some(
      ({ configId, storage }) => configId === id && storage.kind === 'native',
    );
    if (native !== null && isUsed) {
      requireSame(native, await findNativeProgram(native.binary, { env: {} }));
    }
  }
}

function requireSame(before: ServerVersion, now: ServerVersion | { reason: Message }): void {
  if ('reason' in now) throw notContinuable(now.reason);
  const [was, is] = [`${before.flavor} ${before.version}`, `${now.flavor} ${now.version}`];
  if (was === is) return;
  throw notContinuable(msg('continue.changed', { what: msg('part.serverProgram'), before: was, now: is }));
}

/** Owners in the run log distinguish identical machines. */
const FIELDS: [name: MessageCode, read: (passport: Passport) => Said | number][] = [
  ['part.processor', ({ host }) => host.cpuModel],
  ['part.runtime', ({ runtime }) => `${runtime.name} (${runtime.engineVersion})`],
  ['part.operatingSystem', ({ runtime }) => `${runtime.operatingSystem} (${runtime.kernel})`],
  ['part.engineProcessors', ({ runtime }) => runtime.cpus],
  ['part.storageDriver', ({ runtime }) => runtime.storageDriver],
  ['part.fileSharing', ({ runtime }) => msg(`sharing.kind.${runtime.fileSharing}`)],
  [
    'part.virtualMachine',
    ({ runtime: { virtualMachine } }) =>
      virtualMachine === undefined ? msg('sharing.kind.unknown') : msg(`sharing.manager.${virtualMachine}`),
  ],
];

/** Some systems report slightly different memory after each boot. */
const MEMORY_TOLERANCE = 0.01;

function machineDifference(before: Passport, now: Passport): Message | undefined {
  for (const [name, read] of FIELDS) {
    const [was, is] = [read(before), read(now)];
    if (JSON.stringify(was) !== JSON.stringify(is)) {
      return msg('continue.changed', { what: msg(name), before: was, now: is });
    }
  }
  const [was, is] = [before.runtime.memoryBytes, now.runtime.memoryBytes];
  if (Math.abs(was - is) <= MEMORY_TOLERANCE * Math.max(was, is)) return undefined;
  return msg('continue.changed', {
    what: msg('part.engineMemory'),
    before: formatBytes(was),
    now: formatBytes(is),
  });
}
