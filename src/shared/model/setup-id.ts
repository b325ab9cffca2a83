/** What the preset's own server is called where every server has a name. */
export const OWN_SERVER = 'default';

interface Wanted {
  /** One of the preset's `servers`; undefined: its own. */
  server: string | undefined;
  regime: string | undefined;
}

/** Which setup a scenario runs: `default`, or the server's name; with regimes followed by `.regime`. */
export function setupId({ server, regime }: Wanted): string {
  return [server ?? OWN_SERVER, ...(regime === undefined ? [] : [regime])].join('.');
}

/** Two servers with their regimes that come to one id, since names may have dots; undefined: each has its own. */
export function sameSetupId<T extends Wanted>(wanted: readonly T[]): [T, T] | undefined {
  const first = new Map<string, T>();
  for (const one of wanted) {
    const id = setupId(one);
    const other = first.get(id);
    if (other === undefined) first.set(id, one);
    else if (other.server !== one.server) return [other, one];
  }
  return undefined;
}
