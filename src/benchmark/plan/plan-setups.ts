import type { ImageChoice, ServerSetup } from '../../shared/model/plan.ts';
import type { Preset, PresetScenario } from '../../shared/model/preset.ts';
import { resolvedSettings } from '../../shared/model/server-settings.ts';
import { overriddenServer, type ServerSpec, setupId } from '../../shared/model/server-spec.ts';
import { requestedServer } from '../target/image.ts';
import { defaultSettings } from '../target/server-options.ts';
import { refusedOption, requireTuningOptions } from '../target/user-options.ts';
import type { PlanFacts } from './plan-facts.ts';
import { basename } from 'node:path';
import { BenchmarkError } from '../../shared/errors.ts';
import { msg, type Message, type Said } from '../../shared/message.ts';
import { readApart } from '../reading/reader.ts';
import { foundAt } from '../setup/found-file.ts';

/** The user's options by setup. Rejects with PRESET_INVALID for a refused one. */
export async function serverOptions(
  preset: Preset,
  scenarios: readonly PresetScenario[],
): Promise<Map<string, string[]>> {
  const options = new Map<string, string[]>();
  for (const scenario of scenarios) {
    const id = setupId(scenario);
    if (!options.has(id)) options.set(id, await userOptions(preset, serverOf(preset, scenario)));
  }
  return options;
}

export function planSetups(
  preset: Preset,
  scenarios: readonly PresetScenario[],
  facts: Pick<PlanFacts, 'native' | 'external'>,
  images: ReadonlyMap<string, ImageChoice>,
  options: ReadonlyMap<string, string[]>,
): ServerSetup[] {
  const setups: ServerSetup[] = [];
  for (const scenario of scenarios) {
    const id = setupId(scenario);
    if (setups.some((setup) => setup.id === id)) continue;
    const own = scenarios.filter((other) => setupId(other) === id);
    const has = (kind: string): boolean => own.some(({ storage }) => storage.kind === kind);
    const spec = serverOf(preset, scenario);
    const image = images.get(spec.image) ?? unusedImage(spec.image);
    const native = has('native') ? facts.native : null;
    const named = requestedServer(spec.image);
    const server = {
      flavor: image.flavor ?? native?.flavor ?? named?.flavor ?? 'mysql',
      version: image.version ?? native?.version ?? named?.version ?? '',
    };
    setups.push({
      id,
      server: scenario.server ?? null,
      serverName:
        scenario.server === undefined ? null : (preset.servers[scenario.server]?.name ?? scenario.server),
      bufferPool: scenario.bufferPool ?? null,
      bufferPoolName:
        scenario.bufferPool === undefined
          ? null
          : (preset.bufferPools[scenario.bufferPool]?.name ?? scenario.bufferPool),
      image,
      settings: resolvedSettings(spec.settings, preset.workload, defaultSettings(server)),
      limits: spec.limits,
      options: options.get(id) ?? [],
      native,
      external: has('external') ? facts.external : null,
    });
  }
  return setups;
}

export function serverOf(preset: Preset, { server, bufferPool }: PresetScenario): ServerSpec {
  const spec = overriddenServer(preset.server, server === undefined ? undefined : preset.servers[server]);
  const pool = bufferPool === undefined ? undefined : preset.bufferPools[bufferPool]?.bufferPool;
  return pool === undefined ? spec : { ...spec, settings: { ...spec.settings, bufferPool: pool } };
}

/** my.cnf first, then options: the later one wins. */
async function userOptions(preset: Preset, { configFile, options }: ServerSpec): Promise<string[]> {
  const all = [...(configFile === undefined ? [] : await optionsOfConfigFile(configFile)), ...options];
  requireTuningOptions(preset.id, all);
  return all;
}

function unusedImage(requested: string): ImageChoice {
  return {
    requested,
    used: requested,
    imageId: null,
    digest: null,
    flavor: null,
    version: null,
    architecture: null,
    substituted: false,
    reason: null,
  };
}

const MOST_TOLD = 50;
/** Option groups; not those of one version, such as [mysqld-8.4], since the file serves all servers. */
const GROUPS = new Set(['mysqld', 'server', 'mariadb', 'mariadbd']);
const VERSIONED = /^(mysqld|mariadb|mariadbd|server)-\d/;

/**
 * Rejects with PRESET_INVALID, with a line of evidence for each refused line. Syntax: MySQL Reference Manual, "Using
 * Option Files".
 */
export function optionsOfConfigFile(
  path: string,
  platform: NodeJS.Platform = process.platform,
): Promise<string[]> {
  const tooMuch = (problem: Message): BenchmarkError => invalid(basename(path), [unread(path, problem)]);
  return readApart('option-file', optionsOfFileHere, { path, platform }, tooMuch);
}

export async function optionsOfFileHere({
  path,
  platform,
}: {
  path: string;
  platform: NodeJS.Platform;
}): Promise<string[]> {
  const name = basename(path);
  const found = await foundAt(path, platform);
  if (found.kind !== 'text') {
    const problem = found.kind === 'folder' ? msg('compose.folder') : found.reason;
    throw invalid(name, [unread(path, problem)]);
  }
  const { options, problems } = parseConfig(found.text, name);
  if (problems.length > 0) throw invalid(name, problems);
  return options;
}

interface ConfigOptions {
  options: string[];
  problems: string[];
  /** The lines of the problems, with the option if it is one. */
  leftOut: { line: number; option: string | null }[];
}

/** `refusal`: why an option can't be taken. */
export function parseConfig(
  text: string,
  file: string,
  refusal: (option: string) => string | undefined = refusedOption,
): ConfigOptions {
  const options: string[] = [];
  const problems: string[] = [];
  const leftOut: ConfigOptions['leftOut'] = [];
  let group: string | undefined;
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const line = raw.trim();
    const refuse = (reason: string, option: string | null = null): void => {
      problems.push(`${file} line ${index + 1}: ${reason}`);
      leftOut.push({ line: index + 1, option });
    };
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    if (/^!include(dir)?\b/.test(line)) {
      refuse(`${line.split(/\s/)[0] ?? ''} is not followed; write its options into this file.`);
      continue;
    }
    if (line.startsWith('[')) {
      const end = line.indexOf(']');
      const named = line.slice(1, end === -1 ? 0 : end).trim();
      group = named === '' ? undefined : named.toLowerCase();
      if (group === undefined) refuse('the group has no closing bracket.');
      else if (VERSIONED.test(group)) {
        refuse(`[${group}] is for one version only; put its options in [mysqld], or in a server of its own.`);
      }
      continue;
    }
    if (group === undefined) {
      refuse('an option before the first [group].');
      continue;
    }
    if (!GROUPS.has(group)) continue;
    const option = optionOf(line);
    if (option === undefined) {
      refuse(`“${line.slice(0, 80)}” is no option; write name or name = value.`);
      continue;
    }
    const reason = refusal(option);
    if (reason === undefined) options.push(option);
    else refuse(`${option.split('=', 1).join('').slice(2)}: ${reason}`, option);
  }
  return { options, problems, leftOut };
}

function optionOf(line: string): string | undefined {
  const match = /^([a-z][a-z0-9_.-]*)\s*(?:=(.*))?$/i.exec(withoutComment(line));
  if (match?.[1] === undefined) return undefined;
  return match[2] === undefined ? `--${match[1]}` : `--${match[1]}=${valueOf(match[2].trim())}`;
}

/** A `#` after whitespace and outside quotes. */
function withoutComment(line: string): string {
  let quote = '';
  for (let index = 0; index < line.length; index += 1) {
    const char = line[index] ?? '';
    if (char === '\\') index += 1;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '#' && /\s/.test(line[index - 1] ?? '')) return line.slice(0, index).trim();
  }
  return line;
}

const ESCAPES: Record<string, string> = { b: '\b', t: '\t', s: ' ', '\\': '\\', '"': '"', "'": "'" };

function valueOf(text: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;
  // Unknown escapes stay, as in the manual; \n and \r can't be in a command-line option.
  return quoted.replace(/\\(.)/g, (all, char: string) => ESCAPES[char] ?? all);
}

function unread(path: string, problem: Message): Message {
  return msg('field.problem', { field: `server.configFile ${path}`, problem });
}

function invalid(name: string, problems: Said[]): BenchmarkError {
  const evidence = problems.slice(0, MOST_TOLD);
  return new BenchmarkError('PRESET_INVALID', { name, count: String(problems.length) }, { evidence });
}
