import type { WslLimits } from '../../../shared/model/passport.ts';
import { joinPath, readTextOf, type Surroundings, windowsHomes } from './surroundings.ts';

const NETWORKS = ['none', 'nat', 'bridged', 'mirrored', 'virtioproxy'] as const;

/**
 * What `.wslconfig` says about the virtual machine of all WSL 2 distributions, which Docker's engine runs in. Format:
 * learn.microsoft.com, "Advanced settings configuration in WSL". Undefined if it says nothing of interest.
 */
export function readWslConfig(surroundings: Surroundings): WslLimits | undefined {
  const texts = windowsHomes(surroundings).flatMap(
    (home) => readTextOf(surroundings, joinPath(surroundings, home, '.wslconfig')) ?? [],
  );
  const values = valuesOf((texts.length === 1 ? texts[0] : undefined) ?? '');
  const memory = /^\d+ ?[KMGT]?B?$/i.exec(values.get('memory') ?? '')?.[0];
  const processors = Number(values.get('processors') ?? NaN);
  const network = NETWORKS.find((one) => one === values.get('networkingmode')?.toLowerCase());
  const found: WslLimits = {
    ...(memory === undefined ? {} : { memory }),
    ...(Number.isInteger(processors) && processors > 0 ? { processors } : {}),
    ...(network === undefined ? {} : { network }),
  };
  return Object.keys(found).length === 0 ? undefined : found;
}

/** Of [wsl2], and of [experimental], where `networkingMode` was first; keys in lower case. */
function valuesOf(text: string): Map<string, string> {
  const values = new Map<string, string>();
  let section = '';
  for (const raw of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const line = raw.replace(/[#;].*$/, '').trim();
    section = /^\[(.*)\]$/.exec(line)?.[1]?.trim().toLowerCase() ?? section;
    const [, key, value] = /^(\w+)\s*=\s*(.*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    if (section === 'wsl2' || section === 'experimental') values.set(key.toLowerCase(), value.trim());
  }
  return values;
}
