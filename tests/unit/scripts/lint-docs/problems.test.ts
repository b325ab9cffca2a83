import { describe, expect, it } from 'vitest';
import { parityProblems } from '../../../../scripts/lint-docs/locales.ts';
import { commandsOf } from '../../../../scripts/lint-docs/page-commands.ts';
import { commandProblems } from '../../../../scripts/lint-docs/pages.ts';
import type { Repository } from '../../../../scripts/lint-docs/problem.ts';
import { translationProblems } from '../../../../scripts/lint-docs/translations.ts';
import { workflowProblems } from '../../../../scripts/lint-docs/workflows.ts';

const repository = (texts: Record<string, string>): Repository => ({
  files: new Set(Object.keys(texts)),
  read: (path) => texts[path] ?? '',
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
    ['whalemark plan compare-my-setup --no-such-option'],
    ['whalemark run a-preset-that-no-test-runs'],
  ])('are a problem when nothing knows them: %s', (command) => {
    const found = commandProblems(
      'docs/page.md',
      repository({ 'docs/page.md': `\`${command}\``, 'package.json': '{"scripts":{"build":"x"}}' }),
    );
    expect(found).toHaveLength(1);
  });

  it('are none when a script has the name, or a test executes them', () => {
    const page = '`npm run build` `whalemark plan` `whalemark doctor --json`';
    const texts = { 'docs/page.md': page, 'package.json': '{"scripts":{"build":"x"}}' };
    expect(commandProblems('docs/page.md', repository(texts))).toEqual([]);
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
    ['English in Chinese', { a: 'A' }, { a: 'A' }],
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

it('a translation that lacks a heading, and a word that is not used, are problems', () => {
  const texts = {
    'README.md': '# A\n\n## B\n',
    'README.zh-CN.md': '# 甲\n\n您好\n',
    'docs/method.md': '# A\n',
    'docs/method.zh-CN.md': '# 甲\n',
  };
  const found = translationProblems(repository(texts));
  expect(found.map(({ file }) => file)).toEqual(['README.zh-CN.md', 'README.zh-CN.md']);
});

describe('a workflow', () => {
  const CHECKOUT = `uses: actions/checkout@${'a'.repeat(40)} # v1.0.0\n        with: { persist-credentials: false }`;
  const workflow = ({
    on = '{ push: {} }',
    permissions = '{ contents: read }',
    limit = 5,
    step = CHECKOUT,
  }) =>
    `on: ${on}\npermissions: ${permissions}\njobs:\n  one:\n    timeout-minutes: ${limit}\n    steps:\n      - ${step}\n`;
  const problems = (text: string) => workflowProblems(repository({ '.github/workflows/x.yml': text }));

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
  ])('with %s is a problem', (_, text) => {
    expect(problems(text).length).toBeGreaterThan(0);
  });
});
