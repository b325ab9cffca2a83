import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The ids of the runs in a data folder. */
export function runsIn(home: string): string[] {
  const folder = join(home, 'runs');
  return existsSync(folder) ? readdirSync(folder) : [];
}

/**
 * Names of containers, volumes, and networks of the runs in a data folder, from Docker's own command line.
 * Other runs may be measuring on the same engine.
 */
export function resourcesOf(home: string): string[] {
  const runIds = runsIn(home);
  if (runIds.length === 0) throw new Error('there was no run');
  return runIds.flatMap((runId) => {
    const list = (...args: string[]): string[] =>
      execFileSync('docker', [...args, '--filter', `label=io.whalemark.run=${runId}`], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line !== '');
    return [
      ...list('ps', '--all', '--format', 'container {{.Names}}'),
      ...list('volume', 'ls', '--format', 'volume {{.Name}}'),
      ...list('network', 'ls', '--format', 'network {{.Name}}'),
    ];
  });
}
