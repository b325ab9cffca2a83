import { isDeepStrictEqual } from 'node:util';
import { requestedServer } from '../../shared/compose/image.ts';
import type { ImageChoice, ServerConfig } from '../../shared/model/plan.ts';
import type { Preset, PresetScenario } from '../../shared/model/preset.ts';
import { resolvedSettings } from '../../shared/model/server-settings.ts';
import {
  configId,
  overriddenServer,
  partsOfServer,
  serverInPool,
  type ServerSpec,
} from '../../shared/model/server-spec.ts';
import { FLAVOR_NAMES } from '../../shared/words/provenance.ts';
import { requireTuningOptions } from '../../shared/options/tuning.ts';
import { isKnownImage, unusedImage } from '../servers/image.ts';
import { defaultSettings, serverOptions as serverOptionsOf } from '../servers/server-options.ts';
import { effectiveOptions } from '../../shared/options/option.ts';
import { optionsOfConfigFile } from '../database/option-files.ts';
import type { PlanFacts } from './plan-facts.ts';

/** Rejects with PRESET_INVALID for a refused option. */
export async function serverOptions(
  preset: Preset,
  scenarios: readonly PresetScenario[],
): Promise<Map<string, string[]>> {
  const options = new Map<string, string[]>();
  for (const scenario of scenarios) {
    const id = configId(scenario);
    if (!options.has(id)) options.set(id, await userOptions(preset, serverOf(preset, scenario)));
  }
  return options;
}

export function planConfigs(
  preset: Preset,
  engine: string,
  scenarios: readonly PresetScenario[],
  found: PlanFacts['native'],
  images: ReadonlyMap<string, ImageChoice>,
  options: ReadonlyMap<string, string[]>,
): ServerConfig[] {
  const configs: ServerConfig[] = [];
  for (const scenario of scenarios) {
    const id = configId(scenario);
    if (configs.some((config) => config.id === id)) continue;
    const own = scenarios.filter((other) => configId(other) === id);
    const spec = serverOf(preset, scenario);
    const image = images.get(spec.image) ?? unusedImage(spec.image);
    const native = own.some(({ storage }) => storage.kind === 'native') ? found : null;
    const named = requestedServer(spec.image);
    const server = {
      flavor: image.flavor ?? native?.flavor ?? named?.flavor ?? 'mysql',
      version: image.version ?? native?.version ?? named?.version ?? '',
    };
    configs.push({
      id,
      engine,
      engineName: null,
      server: scenario.server ?? null,
      serverName:
        scenario.server === undefined ? null : (preset.servers[scenario.server]?.name ?? scenario.server),
      image,
      settings: resolvedSettings(spec.settings, preset.workload, defaultSettings(server)),
      limits: spec.limits,
      options: options.get(id) ?? [],
      native,
    });
  }
  return configs;
}

export function namedServers(preset: Preset, images: ReadonlyMap<string, ImageChoice>): Preset {
  const names = imageNames([...images.values()]);
  const servers = Object.entries(preset.servers).map(([id, server]) => {
    const hasOnlyImage = Object.keys(server).join() === 'image';
    const name = hasOnlyImage ? names.get(server.image ?? '') : undefined;
    return [id, name === undefined ? server : { ...server, name }] as const;
  });
  return { ...preset, servers: Object.fromEntries(servers) };
}

function imageNames(images: readonly ImageChoice[]): ReadonlyMap<string, string> {
  const told = images.map(({ flavor, version, requested }) => {
    const [number] = /^\d[\d.]*/.exec(version ?? requestedServer(requested)?.version ?? '') ?? [];
    return flavor === null || number === undefined ? undefined : { flavor, number };
  });
  for (const parts of [2, 3]) {
    const names = told.flatMap((one) =>
      one === undefined
        ? []
        : [`${FLAVOR_NAMES[one.flavor]} ${one.number.split('.').slice(0, parts).join('.')}`],
    );
    if (new Set(names).size < images.length) continue;
    return new Map(images.map(({ requested }, index) => [requested, names[index] ?? requested]));
  }
  return new Map(images.map(({ requested }) => [requested, requested]));
}

export function serverOf(preset: Preset, { server }: Pick<PresetScenario, 'server'>): ServerSpec {
  return overriddenServer(preset.server, server === undefined ? undefined : preset.servers[server]);
}

/** Undefined: the server has no buffer-pool size. */
export function baseServer({ server }: Pick<PresetScenario, 'server'>): string | undefined {
  const { pool } = partsOfServer(server);
  return pool === undefined ? undefined : serverInPool(undefined, pool);
}

async function userOptions(preset: Preset, { configFile, options }: ServerSpec): Promise<string[]> {
  const all = [...(configFile === undefined ? [] : await optionsOfConfigFile(configFile)), ...options];
  requireTuningOptions(preset.id, all);
  return all;
}

function unnamedServer(preset: Preset, scenario: Pick<PresetScenario, 'server'>): ServerSpec {
  const spec = { ...serverOf(preset, scenario) };
  delete spec.name;
  return spec;
}

export function isOtherImageAlone(preset: Preset, scenario: PresetScenario): boolean {
  const { image, ...others } = unnamedServer(preset, scenario);
  const { image: own, ...base } = unnamedServer(preset, { server: baseServer(scenario) });
  return image !== own && isDeepStrictEqual(others, base);
}

/** False for an unknown image, whose defaults may differ. */
export function isWithoutEffect(preset: Preset, scenario: PresetScenario, image: ImageChoice): boolean {
  const { flavor, version } = image;
  const isChange = Object.keys(preset.servers[scenario.server ?? ''] ?? {}).some((key) => key !== 'name');
  if (flavor === null || version === null || !isChange) return false;
  const started = ({ settings, options, ...others }: ServerSpec): object => {
    const resolved = resolvedSettings(settings, preset.workload, defaultSettings({ flavor, version }));
    const explicit = serverOptionsOf({ flavor, version }, { ...resolved, defaults: [] }, 1);
    return {
      ...others,
      options: effectiveOptions([...explicit, ...options]),
      unknown: isKnownImage(image) ? [] : resolved.defaults,
    };
  };
  const own = unnamedServer(preset, { server: baseServer(scenario) });
  return isDeepStrictEqual(started(unnamedServer(preset, scenario)), started(own));
}
