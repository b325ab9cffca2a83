/**
 * The server's options from a my.cnf of the user's own. Rejects with PRESET_INVALID; each evidence line names the line
 * and why it can't be taken.
 */
export function optionsOfConfigFile(_path: string): Promise<string[]> {
  return Promise.resolve([]);
}

/** Why an option can't be the user's: Whalemark sets it itself; undefined when it can. */
export function refusedOption(_option: string): string | undefined {
  return undefined;
}
