/** What the preset's own server is called where every server has a name. */
export const OWN_SERVER = 'default';

/** Which setup a scenario runs. No name in a preset has an underscore, so no two come to one ID. */
export function setupId({
  server,
  regime,
}: {
  server: string | undefined;
  regime: string | undefined;
}): string {
  return [server ?? OWN_SERVER, ...(regime === undefined ? [] : [regime])].join('_');
}
