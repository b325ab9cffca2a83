import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { checkOfChange, healthCheckOf } from '../../shared/compose/health-check.ts';
import { movesOf } from '../../shared/compose/moves.ts';
import { optionsOf, overrideOf, type Override } from '../../shared/compose/override.ts';
import { overrideNotes } from '../../shared/compose/override-notes.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { msg, type Message } from '../../shared/message.ts';
import {
  type DatabaseChange,
  type DatabaseOverride,
  type DatabaseService,
  type DatabaseSource,
  partsOf,
} from '../../shared/model/database.ts';
import { effectiveOptions } from '../../shared/options/option.ts';
import { isInDevcontainer, otherProjectOf } from './other-projects.ts';
import { readProject, type Project } from './read-project.ts';

export const OVERRIDE_FILE = 'compose.whalemark.yaml';

interface Wanted {
  source: DatabaseSource;
  project: Project;
  service: DatabaseService;
  change: DatabaseChange;
  measured: string;
  isVm: boolean;
  poolOptions: readonly string[];
}

export async function whyNoOverride(source: DatabaseSource): Promise<Message | undefined> {
  const [first] = source.files;
  const name = source.kind === 'container' ? source.name : basename(first ?? '');
  if (first === undefined) return msg('override.refused.noFiles', { name });
  if (/[\\/]\.lando[\\/]compose[\\/]/.test(first)) return msg('override.refused.stack', { stack: 'Lando' });
  const isComposes = basename(dirname(first)) === '.ddev' || (await otherProjectOf(first)) === undefined;
  return isComposes ? undefined : msg('override.refused.noFiles', { name });
}

/** Compose merges the override to what was measured, and to nothing else. */
export async function overrideFor(
  wanted: Wanted,
): Promise<Omit<DatabaseOverride, 'change' | 'gain'> | { refusal: Message }> {
  const { source, project, service, change, poolOptions } = wanted;
  const { files } = source;
  const [first = ''] = files;
  const isDdev = basename(dirname(first)) === '.ddev';
  const none = await whyNoOverride(source);
  if (none !== undefined) return { refusal: none };
  const options = optionsOf(change, poolOptions);
  const isOptions = partsOf(change).every((part) => optionsOf(part, poolOptions).length > 0);
  const { model, locate, written } = project.around;
  const made =
    isDdev && isOptions ? ofDdev(options) : overrideOf({ ...wanted, model, written: written(service.name) });
  if ('refusal' in made) return made;
  if (made.place === null && service.storage.kind === 'container-layer') {
    return { refusal: msg('override.refused.layer', { service: service.name }) };
  }
  const folder = dirname(first);
  const file = join(
    folder,
    isDdev ? (isOptions ? 'mysql/whalemark.cnf' : 'docker-compose.whalemark.yaml') : OVERRIDE_FILE,
  );
  const problem = isDdev && isOptions ? undefined : await problemOf(wanted, made);
  if (problem !== undefined) return { refusal: problem };
  const { text, keys, place, home, notes } = made;
  return {
    file,
    text,
    lines: keys.flatMap((key) => locate(service.name, key) ?? []),
    moves: movesOf({
      ...{ service, files, file, home, place, isDdev, project: model.name },
      profiles: source.kind === 'compose' ? (source.profiles ?? []) : [],
      envFile: source.kind === 'compose' ? source.envFile : undefined,
      givenName: isInDevcontainer(folder) || source.project !== model.name ? source.project : null,
    }),
    notes: [...overrideNotes(wanted, place), ...notes],
  };
}

function ofDdev(options: readonly string[]): Override {
  const lines = ['[mysqld]', ...options.map((option) => option.replace(/^--/, ''))];
  return { text: `${lines.join('\n')}\n`, keys: [], place: null, home: '', notes: [] };
}

async function problemOf(wanted: Wanted, made: Override): Promise<Message | undefined> {
  const { source, service } = wanted;
  const folder = await mkdtemp(join(tmpdir(), 'whalemark-'));
  try {
    const file = join(folder, OVERRIDE_FILE);
    await writeFile(file, made.text, { mode: 0o600 });
    const merged = await readProject({ ...source, files: [...source.files, file] });
    const after = merged.services.find(({ name }) => name === service.name);
    const isAsMeasured =
      after !== undefined &&
      isChanged(wanted, made, after, merged.around.model.name) &&
      waitsAsWanted(wanted, merged);
    return isAsMeasured && areOthersSame(wanted, merged) ? undefined : msg('override.refused.otherMerge');
  } catch (error) {
    if (!(error instanceof BenchmarkError)) throw error;
    return msg('override.refused.compose', { reason: error.message });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isChanged(
  { service, change, poolOptions }: Wanted,
  { place }: Override,
  after: DatabaseService,
  project: string,
): boolean {
  const parts = partsOf(change);
  const levels = (factor: DatabaseChange['factor']): string[] =>
    parts.filter((one) => one.factor === factor).map(({ level }) => level);
  const [storage] = levels('storage');
  const [path] = levels('path');
  const servers = levels('server');
  const isStored =
    storage === undefined
      ? after.storage.kind === service.storage.kind && after.storage.place === service.storage.place
      : after.storage.kind === storage && isPlace(after.storage.place, place, project);
  const isReached =
    path === undefined
      ? after.path.kind === service.path.kind && after.path.port === service.path.port
      : after.path.kind === path;
  const before = effectiveOptions(service.options);
  const now = effectiveOptions(after.options);
  const wanted = effectiveOptions([...service.options, ...optionsOf(change, poolOptions)]);
  return (
    isStored &&
    isReached &&
    after.storage.datadir === service.storage.datadir &&
    isDeepStrictEqual(now, servers.length > 0 ? wanted : before) &&
    isDeepStrictEqual(
      after.limits,
      servers.includes('without-limits') ? { cpus: null, memoryMiB: null } : service.limits,
    ) &&
    (servers.includes('newest-version') ? after.image !== service.image : after.image === service.image)
  );
}

function waitsAsWanted({ service: { name }, change, project }: Wanted, merged: Project): boolean {
  const checkIn = ({ around: { model } }: Project) => healthCheckOf(model.services?.[name] ?? {});
  const wanted = change.factor === 'healthcheck' ? checkOfChange(change.level) : {};
  const before = checkIn(project);
  return isDeepStrictEqual(checkIn(merged), before && { ...before, ...wanted });
}

function isPlace(found: string | null, place: string | null, project: string): boolean {
  if (place === null) return found === null;
  return place.startsWith('./') ? found?.endsWith(place.slice(1)) === true : found === `${project}_${place}`;
}

function areOthersSame({ project, service }: Wanted, merged: Project): boolean {
  const others = ({ around: { model } }: Project) =>
    Object.entries(model.services ?? {}).filter(([name]) => name !== service.name);
  return isDeepStrictEqual(others(merged), others(project));
}
