import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import * as z from 'zod';

const root = join(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const files = readdirSync(join(root, '.github'), { recursive: true, encoding: 'utf8' })
  .map((name) => join('.github', name))
  .filter((name) => /\.ya?ml$/.test(name))
  .sort();

/** As strict as GitHub: a key that is there twice is an error. */
function parsed(file: string): unknown {
  const document = parseDocument(read(file), { strict: true, uniqueKeys: true });
  expect([...document.errors, ...document.warnings].map(({ message }) => message)).toEqual([]);
  return document.toJS();
}

const scripts = z
  .object({ scripts: z.record(z.string(), z.string()), devDependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')));

/** npm's own commands; everything else behind `npm run` is a script of ours. */
const ranByNpm = (text: string): string[] => [
  ...[...text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name),
  ...[...text.matchAll(/\bnpm (test|start)\b/g)].map(([, name = '']) => name),
];

/** Files of the repository that a text names. */
const namedFiles = (text: string): string[] =>
  [
    ...text.matchAll(
      /(?<![\w/.-])((?:\.ci|\.github|assets|bench|docs|presets|scripts|src|tests)\/[\w./-]*\w|[A-Z]+(?:\.zh-CN)?\.md|package(?:-lock)?\.json)/g,
    ),
  ].map(([, file = '']) => file);

describe('what .github holds', () => {
  it('can all be read', () => {
    expect(files.length).toBeGreaterThan(7);
    for (const file of files) parsed(file);
  });

  it('names only scripts and files that are there', () => {
    for (const file of [...files, '.github/PULL_REQUEST_TEMPLATE.md', 'CONTRIBUTING.md', 'SECURITY.md']) {
      const text = read(file);
      expect(
        ranByNpm(text).filter((name) => !(name in scripts.scripts)),
        file,
      ).toEqual([]);
      expect(
        namedFiles(text).filter((name) => !existsSync(join(root, name))),
        file,
      ).toEqual([]);
    }
  });

  it('belongs to no owner: no address of a repository is made up', () => {
    for (const file of files) expect(read(file), file).not.toMatch(/github\.com\//);
  });
});

const Step = z.strictObject({
  name: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  run: z.string().optional(),
  shell: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  'working-directory': z.string().optional(),
});
const Job = z.strictObject({
  name: z.string(),
  needs: z.union([z.string(), z.array(z.string())]).optional(),
  uses: z.string().optional(),
  strategy: z.unknown().optional(),
  'runs-on': z.string().optional(),
  'timeout-minutes': z.number().max(90).optional(),
  environment: z.string().optional(),
  permissions: z.record(z.string(), z.enum(['read', 'write'])).optional(),
  steps: z.array(Step).min(1).optional(),
});
const Workflow = z.strictObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.enum(['read', 'write'])),
  concurrency: z.strictObject({
    group: z.string(),
    'cancel-in-progress': z.union([z.boolean(), z.string()]),
  }),
  env: z.record(z.string(), z.string()).optional(),
  jobs: z.record(z.string(), Job),
});

const workflows = files
  .filter((file) => file.startsWith(join('.github', 'workflows')))
  .map((file) => ({ file, text: read(file), workflow: Workflow.parse(parsed(file)) }));
const jobs = workflows.flatMap(({ file, workflow }) =>
  Object.entries(workflow.jobs).map(([id, job]) => ({ where: `${file}, ${id}`, job })),
);
const steps = jobs.flatMap(({ where, job }) => (job.steps ?? []).map((step) => ({ where, step })));

/** Secrets that signing takes; the token that GitHub makes for each run is none of them. */
const SIGNING = [
  'APPLE_API_ISSUER',
  'APPLE_API_KEY',
  'APPLE_API_KEY_ID',
  'CSC_KEY_PASSWORD',
  'CSC_LINK',
  'WIN_CSC_KEY_PASSWORD',
  'WIN_CSC_LINK',
];

describe('workflows', () => {
  it('are those for checks, packages and the audit', () => {
    expect(workflows.map(({ workflow }) => workflow.name).sort()).toEqual(['Audit', 'Check', 'Package']);
  });

  it('may only read, but for the job that drafts a release', () => {
    for (const { file, workflow } of workflows) {
      expect(workflow.permissions, file).toEqual({ contents: 'read' });
    }
    const more = jobs.filter(({ job }) => job.permissions !== undefined);
    expect(more.map(({ where, job }) => [where, job.permissions])).toEqual([
      [
        `${join('.github', 'workflows', 'package.yml')}, release`,
        { contents: 'write', 'id-token': 'write', attestations: 'write' },
      ],
    ]);
  });

  it('end: each job has a limit, or is a workflow whose jobs have one', () => {
    for (const { where, job } of jobs) {
      if (job.uses === undefined) expect(job['timeout-minutes'], where).toBeGreaterThan(0);
      else expect(existsSync(join(root, job.uses)), where).toBe(true);
    }
  });

  it('wait for jobs that are there', () => {
    for (const { file, workflow } of workflows) {
      const needed = Object.values(workflow.jobs).flatMap(({ needs = [] }) => needs);
      expect(
        needed.filter((id) => !(id in workflow.jobs)),
        file,
      ).toEqual([]);
    }
  });

  it('take actions by their commit, with the release beside it, and one release of each', () => {
    const used = workflows.flatMap(({ text }) =>
      [...text.matchAll(/^\s*-? ?uses: (.+)$/gm)].map(([, one = '']) => one),
    );
    const foreign = used.filter((one) => !one.startsWith('./'));
    expect(foreign.length).toBeGreaterThan(5);
    for (const one of foreign) expect(one).toMatch(/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    const names = new Set(foreign.map((one) => one.split('@')[0]));
    expect(new Set(foreign).size).toBe(names.size);
  });

  it('leave no token in the folder that they check out', () => {
    const checkouts = steps.filter(({ step }) => step.uses?.startsWith('actions/checkout@'));
    expect(checkouts.length).toBeGreaterThan(4);
    for (const { where, step } of checkouts) expect(step.with?.['persist-credentials'], where).toBe(false);
  });

  it('put nothing of an event’s text into a script', () => {
    for (const { where, step } of steps) expect(step.run ?? '', where).not.toContain('${{');
  });

  it('give no secret to a pull request, nor to anything that it starts', () => {
    const open = workflows.filter(({ workflow }) =>
      ['pull_request', 'workflow_call', 'schedule'].some((event) => event in workflow.on),
    );
    expect(open.length).toBe(2);
    for (const { file, text, workflow } of open) {
      expect(text, file).not.toMatch(/secrets[.[:]|github\.token/);
      for (const job of Object.values(workflow.jobs)) expect(job.environment, file).toBeUndefined();
    }
    for (const { file, workflow } of workflows) {
      expect(Object.keys(workflow.on), file).not.toContain('pull_request_target');
      expect(Object.keys(workflow.on), file).not.toContain('workflow_run');
    }
  });

  it('name the signing secrets and no other, each for the one step that signs', () => {
    const named = workflows.flatMap(({ text }) =>
      [...text.matchAll(/secrets\.(\w+)/g)].map(([, name = '']) => name),
    );
    expect([...new Set(named)].sort()).toEqual(SIGNING);
    const holders = steps.filter(({ step }) => JSON.stringify(step).includes('secrets.'));
    expect(holders.map(({ step }) => step.name)).toEqual(['Package']);
    expect(Object.keys(holders[0]?.step.env ?? {}).sort()).toEqual(SIGNING);
  });

  it('keep what packages are made of apart from what pull requests have cached', () => {
    const release = workflows.filter(({ workflow }) => workflow.name === 'Package');
    const nodes = steps.filter(
      ({ where, step }) =>
        where.startsWith(release[0]?.file ?? '?') && step.uses?.startsWith('actions/setup-node@'),
    );
    expect(nodes.length).toBeGreaterThan(1);
    for (const { where, step } of nodes) {
      expect(step.with, where).toMatchObject({ 'package-manager-cache': false });
      expect(step.with, where).not.toHaveProperty('cache');
    }
  });
});

const Field = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: z.string().min(1) }) }),
  z.strictObject({
    type: z.enum(['input', 'textarea']),
    id: z.string().regex(/^[a-z-]+$/),
    attributes: z.strictObject({
      label: z.string().min(1),
      description: z.string().optional(),
      placeholder: z.string().optional(),
    }),
    validations: z.strictObject({ required: z.boolean() }),
  }),
  z.strictObject({
    type: z.literal('dropdown'),
    id: z.string().regex(/^[a-z-]+$/),
    attributes: z.strictObject({
      label: z.string().min(1),
      description: z.string().optional(),
      // GitHub refuses a “yes” that YAML has read as true.
      options: z.array(z.string()).min(2),
    }),
    validations: z.strictObject({ required: z.boolean() }),
  }),
  z.strictObject({
    type: z.literal('checkboxes'),
    id: z.string().regex(/^[a-z-]+$/),
    attributes: z.strictObject({
      label: z.string().min(1),
      options: z.array(z.strictObject({ label: z.string().min(1), required: z.boolean() })).min(1),
    }),
  }),
]);
const Form = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  labels: z.array(z.string()).length(1),
  body: z.array(Field).min(2),
});

const folder = join('.github', 'ISSUE_TEMPLATE');
const forms = files
  .filter((file) => file.startsWith(folder) && !file.endsWith('config.yml'))
  .map((file) => ({ file, form: Form.parse(parsed(file)) }));

/** A field of a form by its id. */
function field(name: string, id: string): Exclude<z.infer<typeof Field>, { type: 'markdown' }> {
  const { form } = forms.find(({ file }) => file === join(folder, name)) ?? {};
  const found = form?.body.find((one) => one.type !== 'markdown' && one.id === id);
  if (found === undefined || found.type === 'markdown') throw new Error(`${name} has no field ${id}`);
  return found;
}

describe('issue forms', () => {
  it('are three, and there is no way around them', () => {
    expect(forms.map(({ file }) => file)).toEqual(
      ['bug.yml', 'feature.yml', 'wrong-number.yml'].map((name) => join(folder, name)),
    );
    expect(parsed(join(folder, 'config.yml'))).toEqual({ blank_issues_enabled: false });
  });

  it.each(forms.map(({ file, form }) => [file, form] as const))(
    '%s has fields of its own, and asks for some',
    (_, form) => {
      const fields = form.body.filter((one) => one.type !== 'markdown');
      const ids = fields.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const labels = fields.map(({ attributes }) => attributes.label);
      expect(new Set(labels).size).toBe(labels.length);
      expect(fields.some((one) => 'validations' in one && one.validations.required)).toBe(true);
    },
  );

  it('the one for bugs wants the diagnostics, by the names that app and terminal have for them', () => {
    const diagnostics = field('bug.yml', 'diagnostics');
    expect(diagnostics).toMatchObject({ type: 'textarea', validations: { required: true } });
    const { menu } = z
      .object({ menu: z.object({ help: z.string(), diagnostics: z.string() }) })
      .parse(JSON.parse(read('src/shared/words/locales/en/ui.json')));
    const text = JSON.stringify(diagnostics);
    expect(text).toContain(`${menu.help} → ${menu.diagnostics}`);
    expect(text).toContain('`whalemark diagnostics`');
    expect(existsSync(join(root, 'src/cli/commands/diagnostics.ts'))).toBe(true);
  });

  it('the one for numbers wants the exported result, by the names of the dialog', () => {
    const result = field('wrong-number.yml', 'result');
    expect(result).toMatchObject({ type: 'textarea', validations: { required: true } });
    const { share } = z
      .object({ share: z.object({ button: z.string(), formats: z.object({ json: z.string() }) }) })
      .parse(JSON.parse(read('src/shared/words/locales/en/ui.json')));
    expect(JSON.stringify(result)).toContain(`${share.button} → ${share.formats.json}`);
    expect(JSON.stringify(result)).toContain('.whalemark');
  });
});

const Dependabot = z.object({
  version: z.literal(2),
  updates: z.array(
    z.object({
      'package-ecosystem': z.string(),
      schedule: z.object({ interval: z.literal('weekly') }),
      groups: z.record(z.string(), z.object({ patterns: z.array(z.string()) })),
      ignore: z
        .array(
          z.object({
            'dependency-name': z.string(),
            versions: z.array(z.string()).optional(),
            'update-types': z.array(z.string()).optional(),
          }),
        )
        .optional(),
    }),
  ),
});

describe('Dependabot', () => {
  const { updates } = Dependabot.parse(parsed(join('.github', 'dependabot.yml')));
  const ignored = updates.flatMap(({ ignore = [] }) => ignore);

  it('looks at npm and at the actions, once a week', () => {
    expect(updates.map((one) => one['package-ecosystem'])).toEqual(['npm', 'github-actions']);
  });

  it('holds back only packages that are there, with a reason for each', () => {
    const text = read(join('.github', 'dependabot.yml'));
    for (const one of ignored) {
      const name = one['dependency-name'];
      expect(scripts.devDependencies, name).toHaveProperty([name]);
      expect(one.versions !== undefined || one['update-types'] !== undefined, name).toBe(true);
    }
    // A remark may speak for two in a row.
    expect(text.match(/^ {6}# .*\n {6}(?:# .*\n {6})*- dependency-name/gm)?.length).toBe(ignored.length - 1);
  });

  it('holds TypeScript back just where the linter’s own limit is', () => {
    const { peerDependencies } = z
      .object({ peerDependencies: z.object({ typescript: z.string() }) })
      .parse(JSON.parse(read('node_modules/typescript-eslint/package.json')));
    const [, limit] = /<(\d+\.\d+\.\d+)$/.exec(peerDependencies.typescript) ?? [];
    const held = ignored.find((one) => one['dependency-name'] === 'typescript');
    expect(held?.versions).toEqual([`>=${limit}`]);
  });
});

describe('CHANGELOG.md', () => {
  const headings = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);

  it('has a place for what comes next, then the version of package.json', () => {
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(read('package.json')));
    expect(headings[0]).toBe('[Unreleased]');
    expect(headings[1]?.startsWith(`[${version}] – `)).toBe(true);
  });

  it('gives every version its day, or says that it is not released', () => {
    for (const heading of headings.slice(1)) {
      expect(heading).toMatch(/^\[\d+\.\d+\.\d+\] – (?:\d{4}-\d{2}-\d{2}|not released yet)$/);
    }
  });
});
