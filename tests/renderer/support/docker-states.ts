import { writeFileSync } from 'node:fs';
import { lookAt, stateFixtures } from '../../unit/benchmark/runtime/docker-state-machine.ts';

/** Makes the fake core's machine be in a state of Docker, by the name of its fixture: `file` is its `reportFile`. */
export async function becomeState(file: string, name: string): Promise<void> {
  const fixture = stateFixtures().find(([known]) => known === name)?.[1];
  if (fixture === undefined) throw new Error(`there is no state ${name}`);
  writeFileSync(file, JSON.stringify(await lookAt(fixture)));
}
