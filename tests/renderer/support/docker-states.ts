import { writeFileSync } from 'node:fs';
import type { RuntimeReport } from '../../../src/shared/model/passport.ts';
import { lookAt, stateFixtures } from '../../unit/benchmark/runtime/docker-state-machine.ts';

/**
 * Brings the fake core's machine into a state of Docker, by the name of its fixture. `file` is its `reportFile`.
 * Resolves with its report from now on.
 */
export async function becomeState(file: string, name: string): Promise<RuntimeReport> {
  const fixture = stateFixtures().find(([known]) => known === name)?.[1];
  if (fixture === undefined) throw new Error(`there is no state ${name}`);
  const report = await lookAt(fixture);
  writeFileSync(file, JSON.stringify(report));
  return report;
}
