import { describe, expect, it } from 'vitest';
import { errorProblems } from '../../../../scripts/lint-docs/error-pages.ts';
import { parityProblems } from '../../../../scripts/lint-docs/locales.ts';
import { commandsOf } from '../../../../scripts/lint-docs/page-commands.ts';
import { commandProblems, pagesProblems } from '../../../../scripts/lint-docs/pages.ts';
import {
  commentProblems,
  pageWordProblems,
  wordProblems,
} from '../../../../scripts/lint-docs/plain-words.ts';
import type { Problem, Repository } from '../../../../scripts/lint-docs/problem.ts';
import { referenceProblems } from '../../../../scripts/lint-docs/reference-pages.ts';
import { workflowProblems } from '../../../../scripts/lint-docs/workflows.ts';

function repository(texts: Record<string, string>): Repository {
  const all: Record<string, string> = { 'package.json': '{"scripts":{"build":"x","test":"x"}}', ...texts };
  return {
    files: new Set(Object.keys(all)),
    read: (path) => all[path] ?? '',
    bytes: (path) => Number(all[path]),
  };
}
const found = (problems: readonly Problem[]): string => problems.map(({ problem }) => problem).join('\n');

it('a picture of the documents is shown by a page and small', () => {
  const pictures = { 'docs/a.png': '200001', 'docs/b.png': '1', 'src/c.png': '1' };
  const problems = pagesProblems(repository({ 'docs/page.md': '![a letter](a.png)', ...pictures }));
  expect(problems.filter(({ file }) => file.endsWith('.png')).map(({ file }) => file)).toEqual([
    'docs/a.png',
    'docs/b.png',
  ]);
});

describe('the commands of a page', () => {
  it('are lines of shell blocks without prompt and remark, and code that starts a program', () => {
    const page = [
      'Say `npm test` or `ls`, not `npm`; `npm run whalemark -- plan X`.',
      '```sh\nnpm run whalemark -- doctor   # which runtimes\n# a remark\n\nnpm run build \\\n  --now\n```',
      '```console\n$ whalemark history\n```',
      '```yaml\nnode: 1\n```',
    ].join('\n\n');
    expect(commandsOf(page).map(({ command }) => command)).toEqual([
      ...['npm test', 'whalemark plan X', 'whalemark doctor', 'npm run build --now', 'whalemark history'],
    ]);
  });

  it.each([
    ['npm run no-such-script'],
    ['node scripts/gone.mjs'],
    ['whalemark frobnicate'],
    ['whalemark plan docker-options --no-such-option'],
    ['whalemark doctor --quick'],
    ['npm test -- no-such-stage'],
    ['whalemark run a-preset-that-no-test-runs'],
  ])('are a problem when nothing knows them: %s', (command) => {
    const problems = commandProblems('docs/page.md', repository({ 'docs/page.md': `# A\n\n\`${command}\`` }));
    expect(problems).toMatchObject([{ file: 'docs/page.md', line: 3 }]);
  });

  it('are none when a script has the name, or a test executes them', () => {
    const page = '`npm run build` `whalemark plan` `whalemark doctor --json`';
    expect(commandProblems('docs/page.md', repository({ 'docs/page.md': page }))).toEqual([]);
  });

  it('are a problem when tests execute them and no page shows them', () => {
    expect(found(pagesProblems(repository({ 'docs/page.md': '`whalemark doctor`' })))).toMatch(
      /no page shows “whalemark doctor --json”/,
    );
  });
});

describe('the texts of two languages', () => {
  const locales = (english: object, chinese: object) =>
    repository({
      'src/shared/words/locales/en/x.json': JSON.stringify(english),
      'src/shared/words/locales/zh-CN/x.json': JSON.stringify(chinese),
    });

  it.each([
    ['a text that one lacks', { a: 'A', b: 'B' }, { a: '甲' }],
    ['another value', { a: 'A {{n}}' }, { a: '甲 {{m}}' }],
    ['a Chinese plural', { a_one: 'A', a_other: 'As' }, { a_one: '甲', a_other: '甲' }],
    ['a plural with one form', { a_one: 'A' }, { a_other: '甲' }],
    ['English in Chinese', { a: 'Not done yet' }, { a: 'Not done yet' }],
  ])('are a problem for %s', (_, english, chinese) => {
    expect(parityProblems(locales(english, chinese), 'x').length).toBeGreaterThan(0);
  });

  it('are none when they say the same', () => {
    const english = { a_one: '{{count}} file', a_other: '{{count}} files', b: { c: 'C' } };
    expect(parityProblems(locales(english, { a_other: '{{count}} 个文件', b: { c: '丙' } }), 'x')).toEqual(
      [],
    );
  });
});

it('a code without a section, a section without a code, and a notice that is missing are problems', () => {
  const page = '### USAGE\n\n### NO_SUCH_CODE\n';
  const problems = found(
    errorProblems(
      repository({
        'docs/reference/cli.md': '| 99 | x |\n',
        'docs/reference/errors/README.md': '`--no-such-option`\n',
        'docs/reference/errors/a.md': page,
        'src/benchmark/run/a.ts': "notice('NOTICE_OF_A_RUN')",
      }),
    ),
  );
  for (const problem of [
    'no section for: PRESET_UNKNOWN',
    'a section for no code: NO_SUCH_CODE',
    'no link to USAGE',
    'no section for the state stopped',
    'an exit code that is none: 99',
    'no notice NOTICE_OF_A_RUN',
    'the terminal has no --no-such-option',
  ]) {
    expect(problems).toContain(problem);
  }
});

it('what pages of reference leave out, or have too much, are problems', () => {
  const problems = found(
    referenceProblems(
      repository({
        'presets/preset.schema.json': '{"properties":{"rounds":{}}}',
        'presets/shipped.yaml': 'id: shipped',
        'docs/reference/presets.md': '```yaml\nid: 1\n```\n\n## Every field\n\n| `round` | x |\n',
        'docs/tutorial.md': 'Press **No such button**.',
        'docs/dev/security.md': '| `runAsNode` | on | why not |',
        'src/shared/words/locales/en/ui.json': '{"a":"Start"}',
        'src/shared/words/locales/en/report.json': '{}',
        'src/shared/words/locales/en/messages.json': '{"choice":{}}',
      }),
    ),
  );
  for (const problem of [
    'no field rounds',
    'round is no field',
    'no built-in preset shipped',
    'its last example',
    'the app shows no “No such button”',
    'a fuse that is set otherwise: runAsNode: true, why not',
  ]) {
    expect(problems).toContain(problem);
  }
});

describe('a workflow', () => {
  const CHECKOUT = `uses: actions/checkout@${'a'.repeat(40)} # v1.0.0\n        with: { persist-credentials: false }`;
  const workflow = ({
    on = '{ push: {} }',
    permissions = '{ contents: read }',
    limit = 5,
    step = CHECKOUT,
    job = '',
  }) =>
    `on: ${on}\npermissions: ${permissions}\njobs:\n  one:\n    timeout-minutes: ${limit}\n${job}    steps:\n      - ${step}\n`;
  const problems = (text: string, others: Record<string, string> = {}) =>
    workflowProblems(repository({ '.github/workflows/x.yml': text, ...others }));

  it('that only reads, with an action of a known commit, is fine', () => {
    expect(problems(workflow({}))).toEqual([]);
  });

  it.each([
    ['an action by its tag', workflow({ step: 'uses: actions/setup-node@v6' })],
    ['rights to write', workflow({ permissions: '{ contents: write }' })],
    ['no time limit', workflow({ limit: 0 })],
    ['a checkout that keeps its token', workflow({ step: CHECKOUT.replace('false', 'true') })],
    [
      'a secret for a pull request',
      workflow({ on: '{ pull_request: {} }', step: 'run: echo ${{ secrets.X }}' }),
    ],
    ['an event with the rights of the project', workflow({ on: '{ pull_request_target: {} }' })],
    ['a script with text of an event', workflow({ step: 'run: echo ${{ github.event.title }}' })],
    ['YAML that is broken', 'on: [\n'],
    ['a script that is not there', workflow({ step: 'run: npm run gone' })],
    ['a stage that is not there', workflow({ step: 'run: node scripts/test.mjs gone' })],
    ['a secret for any job', workflow({ step: 'env: { A: "${{ secrets.A }}" }' })],
    [
      'a cache for a release',
      workflow({
        job: '    environment: release\n',
        step: `uses: actions/setup-node@${'a'.repeat(40)} # v1.0.0`,
      }),
    ],
    [
      'a secret before any check',
      workflow({ job: '    environment: release\n', step: 'env: { A: "${{ secrets.A }}" }' }),
    ],
    [
      'a secret where something is bundled',
      `${workflow({ job: '    environment: release\n    needs: checks\n', step: 'run: npm run build\n        env: { A: "${{ secrets.A }}" }' })}  checks:\n    uses: ./.github/workflows/y.yml\n`,
    ],
    ['an address of one owner', workflow({ step: 'run: curl https://github.com/somebody/x' })],
    ['a job that waits for none', workflow({ job: '    needs: gone\n' })],
  ])('with %s is a problem', (_, text) => {
    const called = 'on: { workflow_call: {} }\npermissions: { contents: read }\njobs: {}\n';
    expect(problems(text, { '.github/workflows/y.yml': called }).length).toBeGreaterThan(0);
  });

  it('that takes another release of an action than the others is a problem', () => {
    const other = workflow({ step: CHECKOUT.replace('v1.0.0', 'v2.0.0') });
    expect(problems(workflow({}), { '.github/workflows/y.yml': other })).toHaveLength(1);
  });

  it('that calls another gives it all that it asks for', () => {
    const called = workflow({ on: '{ workflow_call: {} }', job: '    permissions: { issues: write }\n' });
    const calling = (permissions: string) =>
      `on: { push: {} }\npermissions: { contents: read }\njobs: { a: { uses: ./.github/workflows/y.yml, permissions: ${permissions} } }\n`;
    const others = { '.github/workflows/y.yml': called };
    expect(problems(calling('{ contents: read, issues: write }'), others)).toEqual([]);
    expect(problems(calling('{ contents: read }'), others)).toHaveLength(1);
    expect(problems(calling('{ contents: read, issues: write }')).length).toBeGreaterThan(0);
  });
});

describe('words to avoid', () => {
  it.each([
    'The run goes on.',
    'It stands next to the chart.',
    'Nobody asks.',
    'our own server',
    '95 % of it',
  ])('are refused on a page: %s', (sentence) => {
    expect(pageWordProblems('README.md', `# A\n\n${sentence}`)).toMatchObject([{ line: 3 }]);
    expect(pageWordProblems('README.md', `# A\n\n\`${sentence}\``)).toEqual([]);
  });

  it('are refused in comments, not in code', () => {
    expect(commentProblems('a.ts', "const text = 'it goes on';\n/** It goes on. */")).toMatchObject([
      { line: 2 },
    ]);
  });

  it('are refused in English texts, with their keys; so are hints that are too long', () => {
    const hint = Array.from({ length: 21 }, () => 'word').join(' ');
    const texts = JSON.stringify({ a: { message: 'Start anew.', hint, other: hint } });
    const problems = wordProblems(repository({ 'src/shared/words/locales/en/ui.json': texts }));
    expect(problems.map(({ problem }) => problem.split(':')[0])).toEqual(['a.message', 'a.hint']);
  });

  it('reads the descriptions of preset fields, and nothing else of their schema', () => {
    const schema = JSON.stringify(
      { anew: { description: 'Drawn anew.' }, rows: { description: 'Rows of `anew`.' } },
      null,
      2,
    );
    const problems = wordProblems(repository({ 'presets/preset.schema.json': schema }));
    expect(problems).toMatchObject([{ problem: expect.stringContaining('anew') as string }]);
  });

  it('leave sentences of a page that are short enough alone', () => {
    const words = (count: number): string => `${Array.from({ length: count }, () => 'word').join(' ')}.`;
    expect(pageWordProblems('README.md', `${words(25)} ${words(25)}`)).toEqual([]);
    expect(pageWordProblems('README.md', `${words(25)} ${words(26)}`)).toHaveLength(1);
  });
});
