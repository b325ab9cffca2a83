import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import {
  withDockerFacts,
  type FactSource,
} from '../../../../src/benchmark/runtime/discovery/docker-facts.ts';
import { discoverRuntimes } from '../../../../src/benchmark/runtime/discovery/discover.ts';
import type { Connection } from '../../../../src/benchmark/runtime/engine/endpoints.ts';
import { BadAnswer, type RawAnswers } from '../../../../src/benchmark/runtime/discovery/probe.ts';
import type { RuntimeReport } from '../../../../src/shared/model/passport.ts';
import { engineAnswers, machineWith, socketError } from './fixture-machine.ts';

const FOLDER = join(import.meta.dirname, '../../../fixtures/docker-states');

const stateSchema = z.strictObject({
  platform: z.enum(['linux', 'darwin', 'win32']),
  homeDirectory: z.string(),
  user: z.string(),
  env: z.record(z.string(), z.string()),
  paths: z.array(z.string()),
  texts: z.record(z.string(), z.string()),
  endpoints: z.record(z.string(), z.union([z.string(), z.object({ answer: z.string() })])),
  processes: z.string(),
  programs: z.array(z.object({ pid: z.number(), name: z.string(), startTicks: z.number() })).default([]),
  stats: z.record(z.string(), z.object({ groupId: z.number(), mode: z.number() })).default({}),
  expect: z.looseObject({ state: z.string() }),
});
type StateFixture = z.infer<typeof stateSchema>;

/** Every fixture by the name of its file. */
export function stateFixtures(): [string, StateFixture][] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((file) => file.replace('.json', ''))
    .map((name) => [name, stateFixture(name)]);
}

export function stateFixture(name: string): StateFixture {
  return stateSchema.parse(JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')));
}

/** The report that the app makes on such a machine. */
export async function lookAt(fixture: StateFixture): Promise<RuntimeReport> {
  const { platform, env, homeDirectory } = fixture;
  const surroundings = machineWith(new Map(Object.entries(fixture.texts).map(contextFile(fixture))), {
    platform,
    env,
    homeDirectory,
    uid: platform === 'win32' ? undefined : 1000,
    probe: (connection) => answerOf(fixture.endpoints[placeOf(connection)] ?? 'ENOENT'),
  });
  return withDockerFacts(await discoverRuntimes({ surroundings }), factSource(fixture));
}

/** `context:NAME` with its endpoint as the file that Docker keeps it in. */
function contextFile({ homeDirectory, platform }: StateFixture) {
  const separator = platform === 'win32' ? '\\' : '/';
  return ([path, text]: [string, string]): [string, string] => {
    const [, name] = /^context:(.*)$/.exec(path) ?? [];
    if (name === undefined) return [path, text];
    const hash = createHash('sha256').update(name).digest('hex');
    const file = [homeDirectory, '.docker', 'contexts', 'meta', hash, 'meta.json'].join(separator);
    return [file, JSON.stringify({ Name: name, Endpoints: { docker: { Host: text } } })];
  };
}

function placeOf(connection: Connection): string {
  return connection.kind === 'socket' ? connection.path : `${connection.host}:${connection.port ?? ''}`;
}

function answerOf(answer: StateFixture['endpoints'][string]): Promise<RawAnswers> {
  if (typeof answer !== 'string') return Promise.reject(new BadAnswer(answer.answer));
  if (answer !== 'engine' && answer !== 'windows') return Promise.reject(socketError(answer));
  const Os = answer === 'windows' ? 'windows' : 'linux';
  return Promise.resolve(engineAnswers('one', { version: { Os }, info: { OSType: Os } }));
}

function factSource(fixture: StateFixture): FactSource {
  const { platform, env, homeDirectory, user, texts, paths, programs, processes, stats } = fixture;
  return {
    platform,
    pid: 1,
    env,
    homeDirectory,
    userName: user,
    read: (path) => {
      const program = programs.find(({ pid }) => path === `/proc/${pid}/stat`);
      if (program === undefined) return texts[path];
      const zeros = Array.from({ length: 17 }, () => '0').join(' ');
      return `${program.pid} (${program.name}) S 1 ${zeros} ${program.startTicks} 0`;
    },
    list: (path) => (path === '/proc' ? programs.map(({ pid }) => String(pid)) : []),
    link: () => undefined,
    run: (file) => Promise.resolve(['ps', 'tasklist'].includes(file) ? processes : undefined),
    stat: (path) => stats[path] ?? (paths.includes(path) ? { groupId: 0, mode: 0o755 } : undefined),
  };
}
