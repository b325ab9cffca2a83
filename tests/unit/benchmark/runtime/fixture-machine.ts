import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { makePassport } from '../../plan-builder.ts';
import { passportSchema, type RuntimeReport } from '../../../../src/shared/model/passport.ts';
import type { RawAnswers } from '../../../../src/benchmark/runtime/discovery/probe.ts';
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

const RUNTIME_FIXTURES = join(import.meta.dirname, '../../../fixtures/runtimes');

function read(runtime: string, file: string): string {
  return readFileSync(join(RUNTIME_FIXTURES, runtime, file), 'utf8');
}

/** An error as Node's sockets give it. */
export function socketError(code: string): Error {
  return Object.assign(new Error(`connect ${code}`), { code });
}

/** The answers of an engine; `more` are fields of its `/version` and `/info`. */
export function engineAnswers(
  id: string,
  more: { version?: object; info?: object } = {},
): Record<keyof RawAnswers, object> {
  return {
    version: { Version: '27.0.0', ApiVersion: '1.46', Os: 'linux', ...more.version },
    info: {
      ...{ ID: id, Name: 'machine', OperatingSystem: 'Debian', OSType: 'linux', KernelVersion: '6.1.0' },
      ...{ Architecture: 'x86_64', NCPU: 4, MemTotal: 8e9, Driver: 'overlay2' },
      ...more.info,
    },
  };
}

/** The search found one runtime, reached by a context. */
export function reportWith(id: string, endpoint: string, at = 0): RuntimeReport {
  const found = { sameAs: [], usable: true, chosen: true, passport: makePassport(), error: null };
  return {
    at,
    facts: null,
    chosenId: id,
    attempts: [{ id, source: 'context', label: id, endpoint, ...found }],
  };
}

/** A machine with these files and sockets and nothing else. */
export function machineWith(
  files: ReadonlyMap<string, string>,
  rest: Omit<Surroundings, 'readText' | 'listDirectory' | 'host'> & Partial<Pick<Surroundings, 'host'>>,
  sockets: readonly string[] = [],
): Surroundings {
  const { platform } = rest;
  const separator = platform === 'win32' ? '\\' : '/';
  return {
    host: { platform, release: '', architecture: 'x64', cpuModel: '', cpus: 4, memoryBytes: 8e9 },
    ...rest,
    readText: (path) => files.get(path),
    listDirectory: (path) => {
      const prefix = `${path}${separator}`;
      const inside = [...files.keys(), ...sockets].filter((file) => file.startsWith(prefix));
      const names = inside.flatMap((file) => file.slice(prefix.length).split(separator)[0] ?? []);
      return [...new Set(names)].sort();
    },
  };
}

/** A machine that has only what is in its folder. */
export function fixtureMachine(runtime: string): Surroundings {
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
            version: JSON.parse(read(runtime, 'version.json')),
            info: JSON.parse(read(runtime, 'info.json')),
          })
        : Promise.reject(socketError('ENOENT')),
  });
}
