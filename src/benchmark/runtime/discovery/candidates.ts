import { msg, type Said } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { RuntimeAttempt } from '../../../shared/model/passport.ts';
import {
  type Connection,
  connectionKey,
  defaultEndpoint,
  parseEndpoint,
  type TlsMaterial,
} from '../engine/endpoints.ts';
import { wellKnownPlaces } from './places.ts';
import { joinPath, type Surroundings, variable } from './surroundings.ts';
import { createHash } from 'node:crypto';
import * as z from 'zod';

export interface Candidate extends Pick<RuntimeAttempt, 'id' | 'source' | 'label' | 'endpoint'> {
  /** Undefined if `error` is set. */
  connection: Connection | undefined;
  error: BenchmarkError | undefined;
  demanded: boolean;
  isNamed: boolean;
}

/** Docker's CLI places come first, in its order. Connects to nothing. */
export function listCandidates(surroundings: Surroundings): Candidate[] {
  const candidates: Candidate[] = [];
  const host = variable(surroundings, 'DOCKER_HOST');
  if (host !== undefined) candidates.push(fromVariable(surroundings, host));

  const demandedContext = variable(surroundings, 'DOCKER_CONTEXT');
  const current = currentContext(surroundings);
  const first = [demandedContext, current].filter((name): name is string => name !== undefined);
  const contexts = listContexts(surroundings, first);
  const order = [...first, 'default'];
  const rank = ({ name }: DockerContext): number =>
    order.includes(name) ? order.indexOf(name) : order.length;
  for (const context of [...contexts].sort((a, b) => rank(a) - rank(b))) {
    const { name, ...found } = context;
    candidates.push({
      ...{ id: `context:${name}`, source: 'context', label: name, ...found },
      // DOCKER_HOST overrides DOCKER_CONTEXT.
      demanded: host === undefined && name === demandedContext,
      isNamed: host === undefined && name === (demandedContext ?? current),
    });
  }

  const known = new Set(
    candidates.flatMap(({ connection }) => (connection ? connectionKey(connection) : [])),
  );
  for (const { label, path } of wellKnownPlaces(surroundings)) {
    if (known.has(path)) continue;
    known.add(path);
    const endpoint = `${surroundings.platform === 'win32' ? 'npipe' : 'unix'}://${path}`;
    candidates.push({
      id: `socket:${path}`,
      source: 'socket',
      label,
      endpoint,
      connection: parseEndpoint(endpoint, surroundings.platform),
      error: undefined,
      demanded: false,
      isNamed: false,
    });
  }
  return candidates;
}

function fromVariable(surroundings: Surroundings, host: string): Candidate {
  return {
    id: 'env:DOCKER_HOST',
    source: 'env',
    label: 'DOCKER_HOST',
    endpoint: host,
    ...tryParse(host, surroundings, variableTls(surroundings, host)),
    demanded: true,
    isNamed: true,
  };
}

/** DOCKER_TLS_VERIFY verifies the engine, DOCKER_TLS doesn't; 2376 is the port of TLS. */
function variableTls(surroundings: Surroundings, host: string): TlsMaterial | undefined {
  const verify = variable(surroundings, 'DOCKER_TLS_VERIFY') !== undefined;
  const wanted =
    verify || variable(surroundings, 'DOCKER_TLS') !== undefined || /:2376\/?$|^https:/i.test(host);
  if (!wanted || /^(unix|npipe):/i.test(host)) return undefined;
  const directory = variable(surroundings, 'DOCKER_CERT_PATH') ?? configDirectory(surroundings);
  try {
    return readTls(surroundings, directory, verify) ?? { verify };
  } catch {
    return { verify };
  }
}

const metaSchema = z.looseObject({
  Name: z.string().min(1),
  Endpoints: z.looseObject({
    docker: z.looseObject({ Host: z.string().nullish(), SkipTLSVerify: z.boolean().nullish() }),
  }),
});
const configSchema = z.looseObject({
  currentContext: z.string().nullish().catch(null),
  proxies: z.record(z.string(), z.record(z.string(), z.unknown())).nullish().catch(null),
  cliPluginsExtraDirs: z.array(z.string()).nullish().catch(null),
});

type DockerContext = Pick<Candidate, 'endpoint' | 'connection' | 'error'> & { name: string };

export function configDirectory(
  surroundings: Pick<Surroundings, 'platform' | 'env' | 'homeDirectory'>,
): string {
  return (
    variable(surroundings, 'DOCKER_CONFIG') ?? joinPath(surroundings, surroundings.homeDirectory, '.docker')
  );
}

/** Empty if the file is missing or broken. Docker Desktop may leave an empty one (for-win#13180). */
export function cliConfig(
  surroundings: Pick<Surroundings, 'platform' | 'env' | 'homeDirectory' | 'readText'>,
): z.infer<typeof configSchema> {
  try {
    const text = surroundings.readText(joinPath(surroundings, configDirectory(surroundings), 'config.json'));
    return configSchema.safeParse(JSON.parse(text ?? '{}')).data ?? {};
  } catch {
    return {};
  }
}

function currentContext(surroundings: Surroundings): string | undefined {
  const name = cliConfig(surroundings).currentContext;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** `default` is built in (docker/cli#4676); others are in `contexts/meta/<sha256 of the name>/meta.json`. */
function listContexts(surroundings: Surroundings, wanted: string[]): DockerContext[] {
  const endpoint = defaultEndpoint(surroundings.platform);
  const connection = parseEndpoint(endpoint, surroundings.platform);
  const contexts: DockerContext[] = [{ name: 'default', endpoint, connection, error: undefined }];
  const meta = joinPath(surroundings, configDirectory(surroundings), 'contexts', 'meta');
  for (const directory of surroundings.listDirectory(meta)) {
    const known = wanted.find((name) => hash(name) === directory) ?? directory.slice(0, 12);
    const context = readContext(surroundings, meta, directory, known);
    if (context !== undefined) contexts.push(context);
  }
  for (const name of wanted) {
    if (!contexts.some((context) => context.name === name))
      contexts.push(brokenContext(name, 'it does not exist'));
  }
  return contexts;
}

function readContext(
  surroundings: Surroundings,
  meta: string,
  directory: string,
  nameIfBroken: string,
): DockerContext | undefined {
  try {
    const text = surroundings.readText(joinPath(surroundings, meta, directory, 'meta.json'));
    if (text === undefined) return undefined;
    const parsed = metaSchema.safeParse(JSON.parse(text));
    if (!parsed.success) {
      return brokenContext(nameIfBroken, z.prettifyError(parsed.error).replace(/\s+/g, ' '));
    }
    const { Host, SkipTLSVerify } = parsed.data.Endpoints.docker;
    const endpoint = typeof Host === 'string' && Host !== '' ? Host : defaultEndpoint(surroundings.platform);
    const tls = contextTls(surroundings, directory, SkipTLSVerify === true);
    return { name: parsed.data.Name, endpoint, ...tryParse(endpoint, surroundings, tls) };
  } catch (error) {
    const reason = error instanceof SyntaxError ? msg('file.notJson') : messageOf(error);
    return brokenContext(nameIfBroken, reason);
  }
}

function tryParse(
  endpoint: string,
  { platform }: Surroundings,
  tls: TlsMaterial | undefined,
): Pick<Candidate, 'connection' | 'error'> {
  try {
    return { connection: parseEndpoint(endpoint, platform, tls), error: undefined };
  } catch (error) {
    if (error instanceof BenchmarkError) return { connection: undefined, error };
    throw error;
  }
}

function contextTls(surroundings: Surroundings, directory: string, skip: boolean): TlsMaterial | undefined {
  const tls = joinPath(surroundings, configDirectory(surroundings), 'contexts', 'tls');
  const folder = joinPath(surroundings, tls, directory, 'docker');
  // Docker's CLI does the same (cli/context/docker/load.go).
  return readTls(surroundings, folder, !skip) ?? (skip ? { verify: false } : undefined);
}

function readTls(surroundings: Surroundings, directory: string, verify: boolean): TlsMaterial | undefined {
  const material: Omit<TlsMaterial, 'verify'> = {};
  for (const name of ['ca', 'cert', 'key'] as const) {
    const text = surroundings.readText(joinPath(surroundings, directory, `${name}.pem`));
    if (text !== undefined) material[name] = text;
  }
  return Object.keys(material).length === 0 ? undefined : { ...material, verify };
}

function brokenContext(name: string, reason: Said): DockerContext {
  const error = new BenchmarkError('CONTEXT_BROKEN', { name, reason });
  return { name, endpoint: '', connection: undefined, error };
}

function hash(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/,? (open|read|scandir) '.*'$/, '') : String(error);
}
