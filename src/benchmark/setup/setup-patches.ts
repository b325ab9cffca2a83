import type { Analysis } from '../../shared/model/analysis.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { SetupPatches } from '../../shared/model/setup.ts';

/** Stub: the merge takes the real one. */
export function patchesOf(run: { plan: Plan }, analysis: Analysis): Promise<SetupPatches> {
  void run;
  void analysis;
  return Promise.resolve({ patches: [], without: [] });
}
