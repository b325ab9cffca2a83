import { requestOf } from '../test/stages.mjs';
import { DOCUMENTED_COMMANDS } from './documented-commands.ts';
import { commandsOf } from './page-commands.ts';
import { pageProblems, pictureProblems } from './page-links.ts';
import { problemsOf, type Problem, type Repository } from './problem.ts';

const isGuide = (page: string): boolean => /^(?:docs\/.*|[A-Z_]+(?:\.zh-CN)?)\.md$/.test(page);
const NPM_OWN = new Set(['ci', 'version', 'install']);

export function pagesProblems(repository: Repository): Problem[] {
  const pages = [...repository.files].filter((path) => path.endsWith('.md')).sort();
  return [
    ...pages.flatMap((page) => [
      ...pageProblems(page, repository),
      ...(isGuide(page) ? commandProblems(page, repository) : []),
    ]),
    ...unshownProblems(pages.filter(isGuide), repository),
    ...pictureProblems(repository),
  ];
}

export function commandProblems(page: string, repository: Repository): Problem[] {
  const text = repository.read(page);
  return commandsOf(text).flatMap(({ command }) =>
    [
      ...scriptProblems(command, repository),
      ...(command.startsWith('whalemark ') ? terminalProblems(command) : []),
    ].map((problem) => ({ file: page, line: lineOf(text, command), problem: `“${command}”: ${problem}` })),
  );
}

export function scriptProblems(command: string, { files, read }: Repository): string[] {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const words = /\b(?:npm test --|node scripts\/test\.mjs) (.+)$/.exec(command)?.[1] ?? '';
  return [
    ...[...command.matchAll(/\bnpm (?:run (?:--silent )?)?([\w:-]+)/g)]
      .map(([, script = '']) => script)
      .filter((script) => !Object.hasOwn(scripts, script) && !NPM_OWN.has(script))
      .map((script) => `there is no script ${script}`),
    ...[...command.matchAll(/\bnode (scripts\/\S+)/g)]
      .map(([, file = '']) => file)
      .filter((file) => !files.has(file))
      .map((file) => `there is no ${file}`),
    ...requestProblems(words),
  ];
}

/** `NAME` or `PATH…` represents any. */
function requestProblems(words: string): string[] {
  if (/^[A-Z]+…?(?: |$)|…/.test(words)) return [];
  try {
    requestOf([...words.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''));
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** The test that executes a command finds wrong words in it. */
function terminalProblems(command: string): string[] {
  if (/^whalemark (?:X(?: |$)|$)/.test(command)) return [];
  // A page may name a command by its beginning.
  return Object.keys(DOCUMENTED_COMMANDS).some((one) => `${one} `.startsWith(`${command} `))
    ? []
    : ['no test executes it: add it to scripts/lint-docs/documented-commands.ts'];
}

function unshownProblems(guides: readonly string[], { read }: Repository): Problem[] {
  const shown = new Set(guides.flatMap((page) => commandsOf(read(page)).map(({ command }) => command)));
  return problemsOf(
    'scripts/lint-docs/documented-commands.ts',
    Object.keys(DOCUMENTED_COMMANDS)
      .filter((command) => !shown.has(command))
      .map((command) => `no page shows “${command}”`),
  );
}

function lineOf(text: string, command: string): number {
  const words = command.split(' ');
  for (let count = words.length; count > 0; count--) {
    const start = words.slice(0, count).join(' ');
    const found = [start, start.replace(/^whalemark/, 'npm run whalemark --')]
      .map((one) => text.indexOf(one))
      .filter((at) => at >= 0);
    if (found.length > 0) return text.slice(0, Math.min(...found)).split('\n').length;
  }
  return 1;
}
