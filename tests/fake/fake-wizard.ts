import { msg } from '../../src/shared/message.ts';
import { unsupportedReason } from '../../src/benchmark/servers/support.ts';
import { PATH_KINDS, STORAGE_KINDS } from '../../src/shared/model/names.ts';
import type { Passport } from '../../src/shared/model/passport.ts';
import { presetScenarios, type Preset } from '../../src/shared/model/preset.ts';
import { workloadSchema } from '../../src/shared/model/workload.ts';
import type { Answer } from '../../src/shared/contract/ipc.ts';
import { mismatch } from '../../src/shared/model/cells.ts';
import { demoOutcomes, type StateShape } from '../unit/builders.ts';

/** The real support matrix for a passport of the story, on a machine without a server program. */
export function fakeSupport(passport: Passport): Answer<'wizard:support'> {
  const facts = {
    native: msg('native.none', { folders: '/usr/sbin' }),
    clientEngine: msg('swarm.noClientEngine'),
  };
  const workload = workloadSchema.parse({ kind: 'oltp_read_write' });
  const plain = { loadGenerator: 'builtin', workload } as const;
  return STORAGE_KINDS.flatMap((storage) =>
    PATH_KINDS.filter((path) => mismatch({ storage, path }) === undefined).flatMap((path) => {
      const needs = { ...plain, storage: { kind: storage }, path };
      const reason = unsupportedReason(passport, needs, facts);
      return reason === undefined ? [] : [{ storage, path, reason }];
    }),
  );
}

/** The shape of a run whose preset no story is about. */
export function shapeOfPreset(preset: Preset, story: StateShape): StateShape {
  const { id, name, question, schedule, sweep } = preset;
  const seen = presetScenarios({ ...preset, sweep: undefined, bufferPools: {} });
  const [baselineId = ''] = [preset.baseline].flat();
  const { rounds, durationSeconds, warmupSeconds } = schedule;
  const ids = [...seen.map((one) => one.id), `${baselineId}~again`];
  return {
    ...(story.runtime === undefined ? {} : { runtime: story.runtime }),
    preset: { id, name, question },
    scenarios: seen.map(({ storage, path }) => ({ storage: storage.kind, path })),
    baselineId,
    rounds,
    durationSeconds,
    warmupSeconds,
    workload: preset.workload,
    ...(sweep === undefined ? {} : { sweep }),
    outcomes: demoOutcomes(Object.fromEntries(ids.map((one, index) => [one, 1 - index / 20])), { rounds }),
  };
}
