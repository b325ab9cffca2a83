import { COMMANDS, HELP } from '../../src/cli/commands.ts';
import { DOCUMENTED_COMMANDS } from './documented-commands.ts';
import { commandsOf } from './page-commands.ts';
import { pageProblems } from './page-links.ts';
import type { Problem, Repository } from './problem.ts';

/** Pages whose commands somebody types. */
const isGuide = (page: string): boolean => /^(?:docs\/.*|[A-Z_]+(?:\.zh-CN)?)\.md$/.test(page);
const NPM_OWN = new Set(['ci', 'version', 'install']);

/** What the pages name, link to, show, and tell people to type, and that is not there. */
export function pagesProblems(repository: Repository): Problem[] {
  const pages = [...repository.files].filter((path) => path.endsWith('.md')).sort();
  return pages.flatMap((page) => [
    ...pageProblems(page, repository),
    ...(isGuide(page) ? commandProblems(page, repository) : []),
  ]);
}

/** Commands of a page that nothing would understand, and those of the terminal that no test executes. */
export function commandProblems(page: string, { files, read }: Repository): Problem[] {
  const text = read(page);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  return commandsOf(text).flatMap(({ command }): Problem[] => {
    const [first = '', second = ''] = command.split(' ');
    const known = (isKnown: boolean, problem: string): string[] => (isKnown ? [] : [problem]);
    const found = [
      ...[...command.matchAll(/\bnpm (?:run (?:--silent )?)?([\w:-]+)/g)].flatMap(([, script = '']) =>
        known(Object.hasOwn(scripts, script) || NPM_OWN.has(script), `there is no script ${script}`),
      ),
      ...[...command.matchAll(/\bnode (scripts\/\S+)/g)].flatMap(([, file = '']) =>
        known(files.has(file), `there is no ${file}`),
      ),
      ...(first === 'whalemark' ? terminalProblems(command, second) : []),
    ];
    const line = text.slice(0, Math.max(0, text.indexOf(second))).split('\n').length;
    return found.map((problem) => ({ file: page, line, problem: `“${command}”: ${problem}` }));
  });
}

const OPTIONS = new Set(HELP.match(/--[a-z][a-z-]*/g));

/** Options of a command that the terminal does not have; the value of `--option` is the server's. */
export const unknownOptions = (command: string): string[] =>
  (command.replaceAll(/--option --\S+/g, '--option').match(/--[a-z][a-z-]*/g) ?? []).filter(
    (option) => !OPTIONS.has(option),
  );

function terminalProblems(command: string, name: string): string[] {
  if (name === '' || name === 'X') return [];
  // The beginning of a command names it.
  if (Object.keys(DOCUMENTED_COMMANDS).some((one) => `${one} `.startsWith(`${command} `))) return [];
  if (!Object.hasOwn(COMMANDS, name) && !name.startsWith('-')) return [`the terminal has no command ${name}`];
  const unknown = unknownOptions(command);
  return unknown.length > 0
    ? [`the terminal has no ${unknown.join(', ')}`]
    : ['no test executes it: add it to scripts/lint-docs/documented-commands.ts'];
}
