import type { RuntimeReport } from '../../shared/model/passport.ts';
import type { Core } from './core.ts';
import { engineParts } from '../diagnostics/engine-parts.ts';
import type { InstallationPaths } from '../installation/installation.ts';

/** What the core adds to a bug report. `report` is the last look for runtimes, or a first one. */
export function diagnosticsHandlers(
  paths: InstallationPaths,
  report: () => Promise<RuntimeReport>,
): Pick<Core, 'core:diagnostics'> {
  return { 'core:diagnostics': () => engineParts(paths, report) };
}
