import { setTimeout as wait } from 'node:timers/promises';
import { networkRemoved } from './container-faults.ts';
import { streamsBroken } from './engine-faults.ts';
import { containersOf } from './engine.ts';
import { effects, HOST, type Effect, type Fault } from './fault.ts';
import { appKilled } from './machine-faults.ts';

/** Two servers that take turns. */
const SIDE_BY_SIDE = {
  ...{ storages: ['named-volume', 'bind-mount'], paths: ['published-port'] },
  ...{ seconds: 2, sliceSeconds: 0.5 },
};

const frozenKilled: Fault = {
  name: 'frozen-killed',
  title: 'frozen server killed',
  how: '`docker kill` of the server that is frozen, while the other has its turn',
  scenario: HOST,
  preset: SIDE_BY_SIDE,
  effect: effects({ measure: 'SLICE_LOST' }),
  strike: async ({ engine, runId, signal }) => {
    while (!signal.aborted) {
      const [id] = await containersOf(engine, runId, { status: 'paused' });
      if (id !== undefined) return void (await engine.docker('kill', id));
      await wait(50);
    }
  },
};

/** The same fault while other servers are frozen. */
function inTurns(fault: Fault, effect: Effect): Fault {
  return {
    ...fault,
    name: `${fault.name}-turns`,
    title: `${fault.title}, with servers frozen`,
    how: 'two servers take turns; otherwise as before',
    scenario: HOST,
    preset: SIDE_BY_SIDE,
    effect: effects({ measure: effect }),
  };
}

export const TURN_FAULTS: readonly Fault[] = [
  frozenKilled,
  inTurns(networkRemoved, 'SLICE_LOST'),
  inTurns(streamsBroken, 'SLICE_LOST'),
  inTurns(appKilled, 'CORE_LOST'),
];
