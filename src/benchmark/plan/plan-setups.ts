import type { ImageChoice, ServerSetup } from '../../shared/model/plan.ts';
import type { Preset, PresetScenario } from '../../shared/model/preset.ts';
import { overriddenServer, resolvedSettings, type ServerSpec } from '../../shared/model/server-spec.ts';
import { optionsOfConfigFile } from '../target/config-file.ts';
import { requireTuningOptions } from '../target/user-options.ts';
import { setupId } from '../../shared/model/setup-id.ts';
import type { PlanFacts } from './plan-facts.ts';

/**
 * The servers that the scenarios run, each once; `images` by the reference that was asked for. Rejects with
 * PRESET_INVALID for an option that can't be the user's.
 */
export async function planSetups(
  preset: Preset,
  scenarios: PresetScenario[],
  facts: PlanFacts,
  images: ReadonlyMap<string, ImageChoice>,
): Promise<ServerSetup[]> {
  const setups: ServerSetup[] = [];
  for (const scenario of scenarios) {
    const id = setupId(scenario);
    if (setups.some((setup) => setup.id === id)) continue;
    const own = scenarios.filter((other) => setupId(other) === id);
    const has = (kind: string): boolean => own.some(({ storage }) => storage.kind === kind);
    const spec = serverOf(preset, scenario);
    setups.push({
      id,
      server: scenario.server ?? null,
      serverName:
        scenario.server === undefined ? null : (preset.servers[scenario.server]?.name ?? scenario.server),
      regime: scenario.regime ?? null,
      regimeName:
        scenario.regime === undefined ? null : (preset.regimes[scenario.regime]?.name ?? scenario.regime),
      image: images.get(spec.image) ?? unusedImage(spec.image),
      settings: resolvedSettings(spec.settings, preset.workload),
      options: await userOptions(preset, spec),
      native: has('native') ? facts.native : null,
      external: has('external') ? facts.external : null,
    });
  }
  return setups;
}

/** The preset's server, with a named one's changes, with the regime's buffer pool. */
export function serverOf(preset: Preset, { server, regime }: PresetScenario): ServerSpec {
  const spec = overriddenServer(preset.server, server === undefined ? undefined : preset.servers[server]);
  const pool = regime === undefined ? undefined : preset.regimes[regime]?.bufferPool;
  return pool === undefined ? spec : { ...spec, settings: { ...spec.settings, bufferPool: pool } };
}

/** The user's my.cnf first, then single options: the later one counts. */
async function userOptions(preset: Preset, { configFile, options }: ServerSpec): Promise<string[]> {
  const all = [...(configFile === undefined ? [] : await optionsOfConfigFile(configFile)), ...options];
  requireTuningOptions(preset.id, all);
  return all;
}

/** Stands where no container is made of the setup. */
function unusedImage(requested: string): ImageChoice {
  return {
    requested,
    used: requested,
    imageId: null,
    digest: null,
    flavour: null,
    version: null,
    architecture: null,
    substituted: false,
    reason: null,
  };
}
