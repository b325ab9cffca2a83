import { parse, parseDocument } from 'yaml';
import { scriptProblems } from './pages.ts';
import { problemsOf, type Problem, type Repository } from './problem.ts';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}
interface Job {
  needs?: string | string[];
  uses?: string;
  'timeout-minutes'?: number;
  environment?: string;
  permissions?: Record<string, string>;
  steps?: Step[];
}
export interface Workflow {
  on: Record<string, unknown>;
  permissions?: Record<string, string>;
  jobs: Record<string, Job>;
}

const PINNED = /^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

/** Events that a stranger can cause, or that run unattended. */
const OPEN_EVENTS = ['pull_request', 'pull_request_target', 'workflow_run'];

/** Ways for a stranger's change to read, write, or keep something, and steps that would not run. */
export function workflowProblems(repository: Repository): Problem[] {
  const { files, read } = repository;
  const yaml = [...files].filter((file) => /^\.github\/.*\.ya?ml$/.test(file)).sort();
  const releases = new Map<string, string>();
  return yaml.flatMap((file) => {
    const text = read(file);
    const document = parseDocument(text, { strict: true, uniqueKeys: true });
    const broken = [...document.errors, ...document.warnings].map(
      ({ message }) => message.split('\n')[0] ?? '',
    );
    if (broken.length > 0) return problemsOf(file, broken);
    if (!file.startsWith('.github/workflows/')) return [];
    return problemsOf(file, [
      ...inWorkflow(document.toJS() as Workflow, text, repository),
      ...usedActions(text).flatMap((use) => {
        const action = use.split('@')[0] ?? '';
        const first = releases.get(action) ?? use;
        releases.set(action, first);
        return use === first ? [] : [`${use} is not the release that other steps take: ${first}`];
      }),
    ]);
  });
}

const usedActions = (text: string): string[] =>
  [...text.matchAll(/^\s*-? ?uses: (.+)$/gm)]
    .map(([, one = '']) => one)
    .filter((one) => !one.startsWith('./'));

function inWorkflow(workflow: Workflow, text: string, repository: Repository): string[] {
  const { jobs, ...around } = workflow;
  const isOpen = OPEN_EVENTS.some((event) => event in workflow.on);
  return [
    ...(['pull_request_target', 'workflow_run'] as const)
      .filter((event) => event in workflow.on)
      .map((event) => `${event} gives a stranger's change the rights of the project`),
    ...(JSON.stringify(workflow.permissions) === '{"contents":"read"}'
      ? []
      : ['a workflow may only read; a job that must write says so itself']),
    ...(isOpen && /secrets[.[:]|github\.token/.test(text) ? ['a pull request can reach a secret'] : []),
    ...(JSON.stringify(around).includes('secrets.') ? ['a secret reaches every job'] : []),
    ...(/github\.com\//.test(text) ? ['an address on github.com belongs to one owner'] : []),
    ...usedActions(text)
      .filter((one) => !PINNED.test(one))
      .map((one) => `${one} is not pinned to a commit with its release`),
    ...Object.entries(jobs).flatMap(([id, job]) =>
      [
        ...inJob(job, workflow, isOpen),
        ...(job.uses === undefined ? [] : inCall(job.uses, job, workflow, repository)),
        ...(job.steps ?? []).flatMap(({ run = '' }) =>
          run.split('\n').flatMap((line) => scriptProblems(line, repository)),
        ),
      ].map((problem) => `${id}: ${problem}`),
    ),
  ];
}

/** GitHub refuses these calls when the workflow starts, even if the job would not run. */
function inCall(uses: string, job: Job, caller: Workflow, { files, read }: Repository): string[] {
  const file = uses.replace(/^\.\//, '');
  if (!files.has(file)) return [`there is no ${uses}`];
  const called = parse(read(file)) as Workflow;
  const given = job.permissions ?? caller.permissions ?? {};
  const asked = [called, ...Object.values(called.jobs)].flatMap(({ permissions = {} }) =>
    Object.entries(permissions),
  );
  return [
    ...('workflow_call' in called.on ? [] : [`${uses} can not be called`]),
    ...new Set(
      asked
        .filter(([what, right]) => given[what] !== 'write' && given[what] !== right)
        .map(([what, right]) => `${uses} asks for ${what}: ${right}, and is not given it`),
    ),
  ];
}

function inJob(job: Job, { jobs }: Workflow, isOpen: boolean): string[] {
  const { steps = [], uses } = job;
  // A release must not get what a pull request has put into a cache.
  const isRelease = Object.values(jobs).some(({ environment }) => environment !== undefined);
  return [
    ...(uses === undefined && (job['timeout-minutes'] ?? 0) <= 0 ? ['no time limit'] : []),
    ...[job.needs ?? []].flat().flatMap((id) => (id in jobs ? [] : [`there is no job ${id}`])),
    ...(isOpen && job.environment !== undefined ? ['a pull request can reach an environment'] : []),
    ...(isOpen && Object.values(job.permissions ?? {}).includes('write') ? ['a pull request can write'] : []),
    ...(job.environment === undefined && JSON.stringify(job).includes('secrets.')
      ? ['a secret is for a job with an environment']
      : []),
    ...(JSON.stringify(job).includes('secrets.') ? aroundSecrets(job, jobs) : []),
    ...steps.flatMap((step) => [
      ...(isRelease &&
      step.uses?.startsWith('actions/setup-node@') === true &&
      step.with?.['package-manager-cache'] !== false
        ? ['a release takes something from a cache']
        : []),
      ...(step.run?.includes('${{') === true ? ['text of an event becomes part of a script'] : []),
      ...(step.uses?.startsWith('actions/checkout@') === true && step.with?.['persist-credentials'] !== false
        ? ['the checkout keeps a token']
        : []),
    ]),
  ];
}

/** A job with certificates must not bundle, nor run before the checks have passed. */
function aroundSecrets(job: Job, jobs: Workflow['jobs']): string[] {
  const waitsForChecks = ({ needs = [], uses }: Job): boolean =>
    uses !== undefined || [needs].flat().some((id) => waitsForChecks(jobs[id] ?? {}));
  const bundles = /npm run build|npm run package(?! -- --as-built)/;
  return [
    ...(waitsForChecks(job) ? [] : ['a secret is there before the checks have passed']),
    ...((job.steps ?? []).some(({ run = '' }) => bundles.test(run))
      ? ['a secret is there while we build']
      : []),
  ];
}
