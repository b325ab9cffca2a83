import * as z from 'zod';
import { BenchmarkError } from '../../shared/errors.ts';
import { passportSchema, runtimeReportSchema, type RuntimeReport } from '../../shared/model/passport.ts';
import { jsonOf } from '../files/json.ts';
import type { InstallationPaths } from '../installation/installation.ts';
import { cleanerFor, whoseMachine } from '../log/log.ts';
import type { Cleaner } from '../privacy/cleaner.ts';
import { discoverRuntimes } from '../runtime/discovery/discover.ts';
import { withDockerFacts } from '../runtime/discovery/docker-facts.ts';
import type { RawAnswers } from '../runtime/discovery/probe.ts';
import { thisMachine, type Surroundings } from '../runtime/discovery/surroundings.ts';
import { type Connection, connectionKey, parseEndpoint } from '../runtime/engine/endpoints.ts';
import { StandIns } from './stand-ins.ts';

const foundSchema = z.object({
  id: z.string(),
  usable: z.boolean(),
  chosen: z.boolean(),
  sameAs: z.array(z.string()),
  runtime: passportSchema.shape.runtime.nullable(),
  error: z.string().nullable(),
});
type Found = z.infer<typeof foundSchema>;

export const machineReportSchema = z.strictObject({
  format: z.literal('whalemark-machine'),
  whalemark: z.string(),
  homeDirectory: z.string(),
  uid: z.number().nullable(),
  env: z.record(z.string(), z.string()),
  host: passportSchema.shape.host,
  files: z.record(z.string(), z.string()),
  /** What each place answered: the index of an engine, or an error code. */
  places: z.record(z.string(), z.union([z.int(), z.string()])),
  engines: z.array(z.object({ version: z.unknown(), info: z.unknown() })),
  found: z.array(foundSchema),
  facts: runtimeReportSchema.shape.facts.unwrap().omit({ user: true, sockets: true }).nullable(),
  /** False if the details that were removed matter to the classification. */
  isReproducible: z.boolean(),
});
export type MachineReport = z.infer<typeof machineReportSchema>;

interface Recording {
  surroundings: Surroundings;
  env: Map<string, string>;
  files: Map<string, string>;
  answers: Map<string, RawAnswers>;
}

export function recording(real: Surroundings = thisMachine()): Recording {
  const env = new Map<string, string>();
  const files = new Map<string, string>();
  const answers = new Map<string, RawAnswers>();
  const surroundings: Surroundings = {
    ...real,
    env: new Proxy(real.env, {
      get: (all, name) => {
        const value = all[String(name)];
        if (value !== undefined) env.set(String(name), value);
        return value;
      },
    }),
    readText: (path) => {
      files.set(path, '');
      const text = real.readText(path);
      if (text === undefined) files.delete(path);
      else files.set(path, text);
      return text;
    },
    probe: async (connection, ...rest) => {
      const answer = await real.probe(connection, ...rest);
      answers.set(placeOf(connection), answer);
      return answer;
    },
  };
  return { surroundings, env, files, answers };
}

export async function lookAndReport({
  appVersion,
  dataDir,
}: Pick<InstallationPaths, 'appVersion' | 'dataDir'>): Promise<{ report: RuntimeReport; text: string }> {
  const recorded = recording();
  const report = await withDockerFacts(await discoverRuntimes({ surroundings: recorded.surroundings }));
  const machine = await machineReport(recorded, report, appVersion, cleanerFor(whoseMachine(dataDir)));
  return { report, text: `${JSON.stringify(machine, null, 2)}\n` };
}

export async function machineReport(
  { surroundings: { platform, homeDirectory, uid, host }, env, files, answers }: Recording,
  report: RuntimeReport,
  whalemark: string,
  cleaner: Cleaner,
): Promise<MachineReport> {
  const standIns = new StandIns(platform, homeDirectory, uid);
  const cleanFiles = [...files].map(([path, text]) => [path, fileWithout(path, text, standIns)] as const);
  const cleanEnv = [...env].map(([name, value]) => variableWithout(name, value, standIns));
  const ids: string[] = [];
  const engines: RawAnswers[] = [];
  const places = report.attempts.flatMap(({ endpoint, error }): [string, string | number][] => {
    const place = placeAt(endpoint, platform);
    if (place === undefined) return [];
    const standIn = placeAt(standIns.endpoint(endpoint), platform) ?? '';
    const answer = answers.get(place);
    if (answer === undefined) return [[standIn, error?.code ?? 'INTERNAL']];
    const id = idOf(answer);
    const known = id === '' ? -1 : ids.indexOf(id);
    if (known >= 0) return [[standIn, known]];
    engines.push(answer);
    return [[standIn, ids.push(id) - 1]];
  });
  const machines = engines.map(({ info }) => standIns.machine(textAt(info, 'Name')));
  cleaner.learn(standIns.hidden);
  const clean: MachineReport = {
    format: 'whalemark-machine',
    whalemark,
    homeDirectory: standIns.path(homeDirectory),
    uid: uid === undefined ? null : standIns.uid(uid),
    env: Object.fromEntries(cleanEnv),
    host: { ...host, release: cleaner.text(host.release), cpuModel: cleaner.text(host.cpuModel) },
    files: Object.fromEntries(cleanFiles.map(([path, text]) => [standIns.path(path), text])),
    places: Object.fromEntries(places),
    engines: engines.map(({ version, info }, index) => ({
      version: answerWithout(version, cleaner),
      info: infoWithout(info, cleaner, machines[index] ?? '', `engine-${index + 1}`),
    })),
    found: [],
    facts: machineReportSchema.shape.facts.parse(report.facts),
    isReproducible: true,
  };
  clean.found = await foundIn(clean);
  clean.isReproducible = classification(clean.found) === classification(report.attempts.map(foundOf));
  return clean;
}

export async function foundIn(report: MachineReport): Promise<Found[]> {
  return (await discoverRuntimes({ surroundings: reportedMachine(report) })).attempts.map(foundOf);
}

function foundOf({ id, usable, chosen, sameAs, passport, error }: RuntimeReport['attempts'][number]): Found {
  return { id, usable, chosen, sameAs, runtime: passport?.runtime ?? null, error: error?.code ?? null };
}

function classification(found: readonly Found[]): string {
  return JSON.stringify(
    found.map(({ id, sameAs, ...rest }) => JSON.stringify([id.split(':')[0], sameAs.length, rest])).sort(),
  );
}

export function reportedMachine(report: MachineReport): Surroundings {
  const { homeDirectory, uid, env, host, files, places, engines } = report;
  const rest = { platform: host.platform, homeDirectory, uid: uid ?? undefined, env, host };
  const probe: Surroundings['probe'] = (connection) => {
    const place = placeOf(connection);
    const answer = places[place];
    const engine = typeof answer === 'number' ? engines[answer] : undefined;
    if (engine !== undefined) return Promise.resolve({ ping: 'OK', ...engine });
    const code = String(answer ?? 'ENDPOINT_MISSING');
    const params = { endpoint: place, reason: '', seconds: '', trial: '' };
    return Promise.reject(BenchmarkError.fromData({ code, message: '', hint: '', params, evidence: [] }));
  };
  return machineWith(new Map(Object.entries(files)), { ...rest, probe }, Object.keys(places));
}

/** A machine with these files and sockets and nothing else. */
export function machineWith(
  files: ReadonlyMap<string, string>,
  rest: Omit<Surroundings, 'readText' | 'listDirectory'>,
  sockets: readonly string[] = [],
): Surroundings {
  const separator = rest.platform === 'win32' ? '\\' : '/';
  return {
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

function placeOf(connection: Connection): string {
  return connectionKey(connection.kind === 'tcp' ? { ...connection, tls: undefined } : connection);
}

function placeAt(endpoint: string, platform: string): string | undefined {
  try {
    return placeOf(parseEndpoint(endpoint, platform));
  } catch {
    return undefined;
  }
}

const mountSchema = z.object({ mount: z.object({ type: z.string().regex(/^[\w-]{1,20}$/) }) });
const fileSchema = z.object({
  currentContext: z.string().optional().catch(undefined),
  Name: z.string().optional().catch(undefined),
  Endpoints: z
    .object({
      docker: z.object({ Host: z.string().nullish(), SkipTLSVerify: z.boolean().nullish() }),
    })
    .optional()
    .catch(undefined),
  virtualMachine: mountSchema.optional().catch(undefined),
  experimental: z.object({ virtualMachine: mountSchema }).optional().catch(undefined),
});

/** Docker Desktop alone writes them; in other files, a key may be the user's. */
const DESKTOP_SETTINGS = /(?:^|[\\/])settings(?:-store)?\.json$/;

function fileWithout(path: string, text: string, standIns: StandIns): string {
  if (path.endsWith('.pem')) return 'left out';
  if (path.endsWith('.yaml')) return /^mountType:\s*['"]?[\w-]{1,20}\b['"]?/m.exec(text)?.[0] ?? '';
  const json = jsonOf(text.replace(/^\uFEFF/, ''));
  const read = fileSchema.safeParse(json).data;
  if (read === undefined) return '';
  const { currentContext, Name, Endpoints } = read;
  return JSON.stringify({
    ...(DESKTOP_SETTINGS.test(path)
      ? Object.fromEntries(Object.entries(json ?? {}).filter(([, value]) => typeof value === 'boolean'))
      : {}),
    ...read,
    ...(currentContext === undefined ? {} : { currentContext: standIns.context(currentContext) }),
    ...(Name === undefined ? {} : { Name: standIns.context(Name) }),
    ...(Endpoints === undefined
      ? {}
      : {
          Endpoints: {
            docker: { ...Endpoints.docker, Host: standIns.endpoint(Endpoints.docker.Host ?? '') },
          },
        }),
  });
}

function variableWithout(name: string, value: string, standIns: StandIns): [string, string] {
  if (name === 'DOCKER_HOST') return [name, standIns.endpoint(value)];
  if (name === 'DOCKER_CONTEXT') return [name, standIns.context(value)];
  return [name, /^DOCKER_TLS/.test(name) ? '1' : standIns.path(value)];
}

const TOLD =
  /^(Version|(Min)?(API|Api)Version|Os|Arch|Platform|Components|Details|Name|GoVersion|Experimental|Driver|DriverStatus|Cgroup(Driver|Version)|KernelVersion|OperatingSystem|OSVersion|OSType|Architecture|ServerVersion|SecurityOptions|Swarm|LocalNodeState)$/;

/** Numbers and flags stay, and `TOLD`; other texts are only mentioned. */
function answerWithout(value: unknown, cleaner: Cleaner, isTold = true): unknown {
  if (typeof value === 'string') return isTold ? cleaner.text(value) : 'left out';
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return isTold ? value.map((one) => answerWithout(one, cleaner)) : [];
  if (!isTold) return {};
  // Fields of the API are in capitals; other names may be the user's.
  const entries = Object.entries(value)
    .filter(([key]) => /^[A-Z]\w*$/.test(key))
    .map(([key, one]) => [key, answerWithout(one, cleaner, TOLD.test(key))]);
  return Object.fromEntries(entries);
}

const DRIVER_STATUS = /^(Backing Filesystem|Supports d_type|Native Overlay Diff|userxattr|driver-type)$/;

function infoWithout(info: unknown, cleaner: Cleaner, machine: string, id: string): unknown {
  const clean = answerWithout(info, cleaner);
  if (typeof clean !== 'object' || clean === null) return clean;
  const root = textAt(info, 'DockerRootDir');
  const status = listAt(clean, 'DriverStatus').filter(
    (pair) => Array.isArray(pair) && DRIVER_STATUS.test(String(pair[0])),
  );
  const options = listAt(clean, 'SecurityOptions').map((option) =>
    String(option).replace(/profile=(?!(builtin|default|unconfined)$).*/, 'profile=custom'),
  );
  return {
    ...clean,
    ...('ID' in clean ? { ID: id } : {}),
    ...('Name' in clean ? { Name: machine } : {}),
    ...('DriverStatus' in clean ? { DriverStatus: status } : {}),
    ...('SecurityOptions' in clean ? { SecurityOptions: options } : {}),
    ...('DockerRootDir' in clean
      ? { DockerRootDir: /^\/var\/(lib\/docker$|snap\/)/.exec(root)?.[0] ?? 'left out' }
      : {}),
  };
}

function idOf({ info }: RawAnswers): string {
  return textAt(info, 'ID');
}

function textAt(value: unknown, key: string): string {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return typeof found === 'string' ? found : '';
}

function listAt(value: object, key: string): unknown[] {
  const found: unknown = Reflect.get(value, key);
  return Array.isArray(found) ? found : [];
}
