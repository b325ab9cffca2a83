import { loadInstallation } from '../../benchmark/installation/installation.ts';
import { RunStore } from '../../benchmark/runs/run-store.ts';
import { continueSession } from '../../benchmark/run/session.ts';
import { asContinued, whatIsLeft } from '../../shared/run/continuing.ts';
import { formatDuration } from '../../shared/words/units.ts';
import { parse, usage } from '../options/args.ts';
import { conductRun, noteProgress } from '../run/conduct.ts';
import { outFolder } from '../run/out-folder.ts';
import { paths } from '../installation.ts';
import { consentOf } from '../options/plan-options.ts';
import { cleanUpBefore, findRuntime } from '../run/runtime.ts';
import { note } from '../text/terminal.ts';

const OPTIONS = {
  dsn: { type: 'string' },
  consent: { type: 'string', multiple: true },
  context: { type: 'string' },
  out: { type: 'string' },
  force: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

/** `whalemark continue RUN`: measures what a run that ended early has left, and reports the whole. */
export async function continueCommand(argv: string[]): Promise<number> {
  const { values, positionals } = parse(argv, OPTIONS, 1);
  const [runId] = positionals;
  if (runId === undefined) throw usage('Name a run: whalemark history lists them.');
  const consents = (values.consent ?? []).map(consentOf);
  const installation = await loadInstallation(paths);
  const state = await new RunStore(installation.dataDir).continuable(runId);
  const runtime = await findRuntime(values.context, state.plan.runtimeId);
  const out = await outFolder(values);
  await cleanUpBefore(runtime, installation);

  const { kept, left, all, leftMs } = whatIsLeft(asContinued(state, runtime.passport));
  note(`${state.plan.preset.name} — ${state.plan.preset.question}`);
  note(`Going on: ${kept} of ${all} trials are kept, ${left} are left, about ${formatDuration(leftMs)}`);
  note('');
  const session = await continueSession(runId, runtime, installation, noteProgress, {
    consents,
    secrets: { dsn: values.dsn ?? process.env['WHALEMARK_DSN'] },
  });
  return conductRun(session, { out, json: values.json === true });
}
