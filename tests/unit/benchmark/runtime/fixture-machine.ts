import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { passportSchema } from '../../../../src/shared/model/passport.ts';
import {
  machineReportSchema,
  machineWith,
  type MachineReport,
  reportedMachine,
} from '../../../../src/benchmark/diagnostics/machine-report.ts';
import type { Surroundings } from '../../../../src/benchmark/runtime/discovery/surroundings.ts';

const machineSchema = z.strictObject({
  homeDirectory: z.string(),
  uid: z.number().nullable(),
  env: z.record(z.string(), z.string()),
  host: passportSchema.shape.host,
  /** Sockets and pipes where the engine answers. */
  engineAt: z.array(z.string()),
  /** Path on that machine → file in the fixture's folder. */
  files: z.record(z.string(), z.string()),
  source: z.enum(['recorded', 'constructed']),
});

export const RUNTIME_FIXTURES = join(import.meta.dirname, '../../../fixtures/runtimes');

function read(runtime: string, file: string): string {
  return readFileSync(join(RUNTIME_FIXTURES, runtime, file), 'utf8');
}

/** The report that a fixture was made from. */
export function reportOf(runtime: string): MachineReport | undefined {
  if (!existsSync(join(RUNTIME_FIXTURES, runtime, 'report.json'))) return undefined;
  return machineReportSchema.parse(JSON.parse(read(runtime, 'report.json')));
}

/** An error as Node's sockets give it. */
export function socketError(code: string): Error {
  return Object.assign(new Error(`connect ${code}`), { code });
}

/** Whatever isn't in its folder does not exist on the machine. */
export function fixtureMachine(runtime: string): Surroundings {
  const report = reportOf(runtime);
  if (report !== undefined) return reportedMachine(report);
  const machine = machineSchema.parse(JSON.parse(read(runtime, 'machine.json')));
  const files = new Map(Object.entries(machine.files).map(([path, file]) => [path, read(runtime, file)]));
  return machineWith(files, {
    platform: machine.host.platform,
    env: machine.env,
    homeDirectory: machine.homeDirectory,
    uid: machine.uid ?? undefined,
    host: machine.host,
    probe: (connection) =>
      connection.kind === 'socket' && machine.engineAt.includes(connection.path)
        ? Promise.resolve({
            ping: 'OK',
            version: JSON.parse(read(runtime, 'version.json')),
            info: JSON.parse(read(runtime, 'info.json')),
          })
        : Promise.reject(socketError('ENOENT')),
  });
}
