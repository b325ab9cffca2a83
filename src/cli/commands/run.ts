import { loadInstallation } from '../../benchmark/installation/installation.ts';
import { startSession } from '../../benchmark/run/session.ts';
import { conductRun, noteProgress } from '../run/conduct.ts';
import { outFolder } from '../run/out-folder.ts';
import { paths } from '../installation.ts';
import { parsePlanArguments, planFrom } from '../options/plan-options.ts';
import { planText } from '../text/plan-text.ts';
import { cleanUpBefore } from '../run/runtime.ts';
import { note } from '../text/terminal.ts';

/** `whalemark run`: one run from plan to report. */
export async function runPresetCommand(argv: string[]): Promise<number> {
  const { values, positionals } = parsePlanArguments(argv);
  const { plan, runtime, consents, secrets } = await planFrom(positionals[0], values);
  const out = await outFolder(values);
  const installation = await loadInstallation(paths);
  await cleanUpBefore(runtime, installation);

  note(planText(plan));
  note('');
  const session = await startSession(plan, runtime, installation, noteProgress, {
    consents,
    secrets,
    freshDataset: values['fresh-dataset'] === true,
  });
  return conductRun(session, { out, json: values.json === true });
}
