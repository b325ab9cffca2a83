import { parseDocument } from 'yaml';
import { problemsOf, type Problem, type Repository } from './problem.ts';

interface Step {
  name?: string;
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
interface Workflow {
  on: Record<string, unknown>;
  permissions?: Record<string, string>;
  jobs: Record<string, Job>;
}

const PINNED = /^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

/** Events that somebody outside of the project can cause, or that run without anybody looking. */
const OPEN_EVENTS = ['pull_request', 'pull_request_target', 'workflow_run'];

/** What would let a stranger's change read, write, or keep something, and what would not run at all. */
export function workflowProblems({ files, read }: Repository): Problem[] {
  const yaml = [...files].filter((file) => /^\.github\/.*\.ya?ml$/.test(file));
  return yaml.flatMap((file) => {
    const text = read(file);
    const document = parseDocument(text, { strict: true, uniqueKeys: true });
    const broken = [...document.errors, ...document.warnings].map(
      ({ message }) => message.split('\n')[0] ?? '',
    );
    if (broken.length > 0) return problemsOf(file, broken);
    if (!file.startsWith('.github/workflows/')) return [];
    return problemsOf(file, inWorkflow(document.toJS() as Workflow, text, files));
  });
}

function inWorkflow(workflow: Workflow, text: string, files: ReadonlySet<string>): string[] {
  const uses = [...text.matchAll(/^\s*-? ?uses: (.+)$/gm)].map(([, one = '']) => one);
  const isOpen = OPEN_EVENTS.some((event) => event in workflow.on);
  return [
    ...(['pull_request_target', 'workflow_run'] as const)
      .filter((event) => event in workflow.on)
      .map((event) => `${event} gives a stranger's change the rights of the project`),
    ...(JSON.stringify(workflow.permissions) === '{"contents":"read"}'
      ? []
      : ['a workflow may only read; a job that must write says so itself']),
    ...(isOpen && /secrets[.[:]|github\.token/.test(text) ? ['a pull request can reach a secret'] : []),
    ...uses
      .filter((one) => !one.startsWith('./') && !PINNED.test(one))
      .map((one) => `${one} is not pinned to a commit with its release`),
    ...Object.entries(workflow.jobs).flatMap(([id, job]) =>
      inJob(job, workflow, isOpen, files).map((problem) => `${id}: ${problem}`),
    ),
  ];
}

function inJob(job: Job, { jobs }: Workflow, isOpen: boolean, files: ReadonlySet<string>): string[] {
  const { steps = [], uses } = job;
  return [
    ...(uses === undefined && (job['timeout-minutes'] ?? 0) <= 0 ? ['no time limit'] : []),
    ...(uses !== undefined && !files.has(uses.replace(/^\.\//, '')) ? [`there is no ${uses}`] : []),
    ...[job.needs ?? []].flat().flatMap((id) => (id in jobs ? [] : [`there is no job ${id}`])),
    ...(isOpen && job.environment !== undefined ? ['a pull request can reach an environment'] : []),
    ...(isOpen && Object.values(job.permissions ?? {}).includes('write') ? ['a pull request can write'] : []),
    ...steps.flatMap((step) => [
      ...(step.run?.includes('${{') === true ? ['text of an event becomes part of a script'] : []),
      ...(step.uses?.startsWith('actions/checkout@') === true && step.with?.['persist-credentials'] !== false
        ? ['the checkout keeps a token']
        : []),
    ]),
  ];
}
