import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuntimeReport } from '../../../src/shared/model/passport.ts';
import { lookAt, stateFixtures } from '../../unit/benchmark/runtime/docker-state-machine.ts';
import { newFolder } from './folders.ts';

/** A file for WHALEMARK_FAKE_REPORT; the fake core finds an engine once it is gone. */
export function reportFile(): string {
  return join(newFolder('docker-state'), 'report.json');
}

/** Makes the fake core's machine be in a state of Docker, by the name of its fixture; resolves with what it reports. */
export async function becomeState(file: string, name: string): Promise<RuntimeReport> {
  const fixture = stateFixtures().find(([known]) => known === name)?.[1];
  if (fixture === undefined) throw new Error(`there is no state ${name}`);
  const report = await lookAt(fixture);
  writeFileSync(file, JSON.stringify(report));
  return report;
}
