import { randomUUID } from 'node:crypto';
import * as mcp from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { describedDatabase } from '../../benchmark/database/described.ts';
import { overridesOf } from '../../benchmark/database/database-overrides.ts';
import { openDatabase } from '../../benchmark/database/open-database.ts';
import { renderText } from '../../benchmark/report/text.ts';
import { allOf } from '../../benchmark/runtime/container-runtime.ts';
import type { PlanToRun } from '../../benchmark/service.ts';
import { HistoryStore } from '../../benchmark/store/history-store.ts';
import { analyze } from '../../shared/analysis/analyze.ts';
import { BenchmarkError, toErrorData } from '../../shared/errors.ts';
import { changeId, type Database, type DatabaseOverrides } from '../../shared/model/database.ts';
import { type Consent, consentsSchema, type Plan } from '../../shared/model/plan.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { progressOf } from '../../shared/run/progress.ts';
import { ENGLISH } from '../../shared/words/i18n.ts';
import { overrideLines, withoutTexts } from '../../shared/words/override-wording.ts';
import { lengthText } from '../../shared/words/provenance.ts';
import { EXIT, exitCodeOfRun, usage } from '../exit-codes.ts';
import { paths, whalemark } from '../installation.ts';
import { planText } from '../plan-command.ts';
import { cleanUpBefore, engineFinder } from '../run/runtime.ts';
import { serviceJson, serviceLines } from '../text/database-text.ts';
import { activityText } from '../text/run-progress.ts';
import { named, runSummary } from '../text/run-summary.ts';
import { errorLines } from '../text/terminal.ts';
import { doctorReport } from './doctor.ts';
import { historyLines, historySummary } from './history.ts';
import { chosen, engineFor } from './setup.ts';
import { wantedTask } from './time.ts';

type Call = mcp.ServerContext['mcpReq'];
type Answer = mcp.CallToolResult | mcp.InputRequiredResult;

const MOST_KEPT = 20;
const PROGRESS_MS = 1000;

const text = z.string().max(4096);
const texts = z.array(text).max(100);
const target = z
  .object({
    project: text.describe('Compose file, project folder, or container: an absolute path, or a name'),
    image: text.describe(
      'Server image to measure instead of the project’s, or the image of a container without a file',
    ),
    tmpfs: texts.describe('Paths that a container without a file keeps in memory, as with Testcontainers'),
    env: texts.describe('Variables (NAME=VALUE) of a container without a file'),
    context: text.describe('Docker context or engine ID; default: the engine in use'),
  })
  .partial();
const wanted = target
  .extend({
    service: text.describe('Database service, if the project has several'),
    preset: text.describe('ID or file of a preset, for a plan without a project; default: docker-options'),
    task: z
      .enum(['ready', 'migrations', 'reset', 'import'])
      .describe('Time this task instead of measuring load'),
    dump: text.describe('SQL file for the task import'),
    minutes: z.number().min(0.5).describe('Measure until conclusive, for at most so many minutes'),
    small: z.boolean().describe('With preset: a smaller run with less data and memory'),
    set: texts.describe('Fields of the preset (KEY=VALUE), such as schedule.rounds=3'),
  })
  .partial();
const measurement = z.object({
  plan: text.describe('ID of the plan'),
  confirmed: consentsSchema.optional().describe('Names of the plan’s confirmations that the user gave you'),
});
const confirmation = z.object({ confirm: z.boolean().meta({ title: 'Measure this' }) });

const INSTRUCTIONS = `Whalemark measures what Docker costs a MySQL, MariaDB, or Percona Server.
Make a plan, show it to the user, and measure it by its ID. A run takes minutes; cancel the request to stop it.
A difference whose interval includes 1 is no difference: say inconclusive.`;

const TOOLS = {
  doctor: 'Docker engines on this machine, the one in use, and what to do if none is.',
  read_project: 'The databases that Whalemark finds in a project. Measures nothing.',
  plan: 'Plans a measurement of a project, a preset, or a task: what runs, how long it takes, and what the user must confirm.',
  measure:
    'Measures a plan, with its own data only. The client asks the user for the plan’s confirmations; if it can’t, ask yourself and repeat the names in confirmed.',
  result: 'A run’s answer, in words and as data; without run, the last runs on this machine.',
};

/** Resolves when the client closes standard input. */
export function serveAgents(): Promise<number> {
  const { close } = serveStdio(makeServer);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void close());
  return Promise.resolve(EXIT.done);
}

export function makeServer(): mcp.McpServer {
  const server = new mcp.McpServer(
    { name: 'whalemark', version: paths.appVersion },
    { instructions: INSTRUCTIONS },
  );
  const tool = <I>(
    name: keyof typeof TOOLS,
    inputSchema: z.ZodType<I>,
    answer: (input: I, call: Call) => Promise<Answer>,
  ): void => {
    const annotations = { readOnlyHint: name !== 'measure', destructiveHint: false, openWorldHint: false };
    const config = { description: TOOLS[name], inputSchema, annotations };
    server.registerTool(name, config, (input, { mcpReq }) =>
      answer(input, mcpReq).catch((error: unknown) => {
        const data = toErrorData(error);
        return { ...said(errorLines(data).join('\n'), { code: data.code }), isError: true };
      }),
    );
  };
  const plans = new Map<string, PlanToRun>();
  let isMeasuring = false;
  tool('doctor', z.object({}), async () => {
    const { report, passport, lines } = await doctorReport();
    return said(await lines(), { chosen: report.chosenId, engine: passport?.runtime ?? null });
  });
  tool('read_project', target, async (input) => {
    const { source, services } = await read(input);
    const words = services.flatMap((one) => serviceLines({ source, services }, one)).join('\n');
    return said(words, { source, services: services.map(serviceJson) });
  });
  tool('plan', wanted, async (input) => {
    const planned = await planOf(input);
    const id = randomUUID().slice(0, 8);
    plans.set(id, planned);
    for (const old of [...plans.keys()].slice(0, -MOST_KEPT)) plans.delete(old);
    const { consents, scenarios } = planned.plan;
    return said(`Plan ${id}\n${planText(planned.plan)}`, {
      ...{ plan: id, takes: lengthText(planned.plan, ENGLISH) },
      scenarios: scenarios.map((one) => ({ id: one.id, name: named(one).name })),
      confirmations: consents.map(({ consent, message }) => ({ name: consent, text: message.text })),
    });
  });
  tool('measure', measurement, async ({ plan: id, confirmed = [] }, call) => {
    const planned = plans.get(id);
    if (planned === undefined)
      throw usage(`plan ${id}: there is none.`, 'mcp', 'Make one with the tool plan.');
    if (isMeasuring) throw new BenchmarkError('BUSY');
    const consents = canAsk(server, call) ? askedFor(planned.plan, call) : confirmed;
    if (mcp.isInputRequiredResult(consents)) return consents;
    isMeasuring = true;
    try {
      const state = await measured(planned, consents, call);
      plans.delete(id);
      return await resultOf(state);
    } finally {
      isMeasuring = false;
    }
  });
  tool('result', z.object({ run: text.optional() }), async ({ run }) => {
    if (run !== undefined) return resultOf(await whalemark.runs.load(run));
    const entries = await history().list();
    const last = entries.slice(0, MOST_KEPT);
    const words = last.map(historyLines).join('\n\n') || ENGLISH('ui:history.none');
    return said(words, { runs: last.map(historySummary) });
  });
  return server;
}

const history = (): HistoryStore => new HistoryStore(paths.dataDir, whalemark.runs);

function said(words: string, data: Record<string, unknown>): mcp.CallToolResult {
  return { content: [{ type: 'text', text: words }], structuredContent: data };
}

const isDescribed = ({ tmpfs, env }: z.infer<typeof target>): boolean => (tmpfs ?? env) !== undefined;

async function read(input: z.infer<typeof target>): Promise<Database> {
  const { project = '.', image, tmpfs, env, context } = input;
  if (isDescribed(input) && image === undefined) throw usage('tmpfs and env need an image.', 'mcp');
  const runtime = await engineFor(project, { context });
  if (image === undefined || !isDescribed(input)) return openDatabase({ target: project, runtime });
  return describedDatabase({ image, tmpfs, env }, runtime);
}

async function planOf(input: z.infer<typeof wanted>): Promise<PlanToRun> {
  const { task, dump = [], minutes, small, set, image } = input;
  const find = engineFinder(input.context);
  const options = { small, set, untilConclusive: minutes, image: isDescribed(input) ? undefined : image };
  const timed = task === undefined ? { task } : await wantedTask([task, dump].flat(), {});
  if (input.project !== undefined || isDescribed(input)) {
    const database = await read(input);
    return whalemark.planDatabase(database, chosen(database, input, 'setup').name, options, find, { timed });
  }
  const ofTask = timed.task && (await whalemark.presetOfTask(timed.task.kind));
  const found = ofTask ?? (await whalemark.presets.open(input.preset ?? 'docker-options'));
  return whalemark.plan(found, options, find, timed);
}

const asking = z.object({ elicitation: z.object({ form: z.object() }) });

function canAsk({ server }: mcp.McpServer, { envelope = {} }: Call): boolean {
  // Protocol version 2026-07-28 sends these fields with each request.
  const own = new Map<string, unknown>(Object.entries(envelope));
  return asking.safeParse(own.get(mcp.CLIENT_CAPABILITIES_META_KEY) ?? server.getClientCapabilities())
    .success;
}

function askedFor(plan: Plan, { inputResponses }: Call): Consent[] | mcp.InputRequiredResult {
  if (plan.consents.length > 0 && mcp.inputResponse(inputResponses, 'confirm').kind === 'missing') {
    const what = plan.consents.map(({ message }) => `- ${message.text}`);
    const message = [`${plan.preset.name}: ${lengthText(plan, ENGLISH)}. It needs:`, ...what].join('\n');
    const confirm = mcp.inputRequired.elicit({ message, requestedSchema: confirmation });
    return mcp.inputRequired({ inputRequests: { confirm } });
  }
  const isConfirmed = mcp.acceptedContent(inputResponses, 'confirm', confirmation)?.confirm === true;
  return isConfirmed ? plan.consents.map(({ consent }) => consent) : [];
}

/** A cancelled request stops the run, which still saves. */
async function measured(planned: PlanToRun, consents: readonly Consent[], call: Call): Promise<RunState> {
  const { signal, notify, _meta: { progressToken } = {} } = call;
  await cleanUpBefore(allOf(planned), paths);
  signal.throwIfAborted();
  let toldAt = -Infinity;
  const tell = ({ at }: { at: number }, state: RunState): void => {
    if (progressToken === undefined || at - toldAt < PROGRESS_MS) return;
    toldAt = at;
    const { elapsedMs: progress, leftMs } = progressOf(state, at);
    const total = leftMs === null ? {} : { total: progress + leftMs };
    const params = { progressToken, progress, ...total, message: activityText(state) };
    // A client that left stops the run through its signal.
    void notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const session = await whalemark.start(planned, tell, { consents });
  signal.addEventListener('abort', () => session.stop());
  if (signal.aborted) session.stop();
  return (await session.done).state;
}

const NONE: DatabaseOverrides = { overrides: [], without: [] };

async function resultOf(state: RunState): Promise<mcp.CallToolResult> {
  const analysis = analyze(state);
  const isOurs = state.plan.database !== null && !(await history().annotations(state.runId)).shared;
  const errors = state.error === null ? [] : [state.error];
  const found = await (isOurs ? overridesOf(state, analysis) : Promise.resolve(NONE)).catch(
    (error: unknown) => {
      errors.push(toErrorData(error));
      return NONE;
    },
  );
  const words = [
    renderText(state, analysis, true),
    ...errors.flatMap(errorLines),
    ...found.overrides.flatMap((one) => [...overrideLines(one, ENGLISH), '', `${one.file}:`, one.text]),
    ...withoutTexts(found, ENGLISH),
  ];
  const changes = found.overrides.map(({ change, ...one }) => ({ ...one, change: changeId(change) }));
  const data = { run: state.runId, ...runSummary(state, analysis, null), changes };
  return { ...said(words.join('\n'), data), isError: exitCodeOfRun(state) === EXIT.nothingMeasured };
}
