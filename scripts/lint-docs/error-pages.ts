import { EXIT } from '../../src/cli/exit-codes.ts';
import { makeProgram } from '../../src/cli/program.ts';
import { hostCauseOf } from '../../src/shared/analysis/host-notices.ts';
import errors from '../../src/shared/locales/en/errors.json' with { type: 'json' };
import { ROUNDS_ENDED } from '../../src/shared/model/events.ts';
import { differences, problemsOf, type Problem, type Repository } from './problem.ts';

const FOLDER = 'docs/reference/errors/';
const INDEX = `${FOLDER}README.md`;
const WARNINGS = `${FOLDER}warnings.md`;
const CLI = 'docs/reference/cli.md';

const OPTIONS = new Set([
  ...['--help', '--version'],
  ...makeProgram()
    .commands.flatMap((command) => [command, ...command.commands])
    .flatMap(({ options }) => options.map(({ long }) => long)),
]);

export function pagesOfCodes({
  files,
  read,
}: Repository): { page: string; title: string; codes: string[] }[] {
  return [...files]
    .filter((file) => file.startsWith(FOLDER) && file.endsWith('.md') && file !== INDEX)
    .sort()
    .map((file) => {
      const text = read(file);
      return {
        page: file.slice(FOLDER.length),
        title: /^# (.+)$/m.exec(text)?.[1] ?? '',
        codes: [...text.matchAll(/^### ([A-Z_]+)$/gm)].map(([, one = '']) => one),
      };
    });
}

function noticesOf({ files, read }: Repository): string[] {
  const sources = [...files].filter((file) =>
    /^src\/(?:benchmark\/(?:plan|run)|shared\/analysis)\/.*\.ts$/.test(file),
  );
  return sources.flatMap((file) =>
    [...read(file).matchAll(/(?:code: |code = |\b(?:notice|add)\(\s*)'([A-Z_]+)'/g)].map(
      ([, code = '']) => code,
    ),
  );
}

/** Codes on the page of warnings that no source makes. */
function formerNotices({ files, read }: Repository): string[] {
  const source = [...files]
    .filter((file) => /^src\/(?:benchmark|shared\/(?:analysis|docker))\/.*\.ts$/.test(file))
    .map(read)
    .join('\n');
  const computed = ROUNDS_ENDED.map((because) => `ROUNDS_ENDED_${because.toUpperCase()}`);
  return [...read(WARNINGS).matchAll(/`([A-Z_]+)`/g)]
    .map(([, code = '']) => code)
    .filter(
      (code) => !source.includes(`'${code}'`) && !computed.includes(code) && hostCauseOf(code) === undefined,
    );
}

export function errorProblems(repository: Repository): Problem[] {
  const pages = [...repository.files]
    .filter((file) => file.startsWith(FOLDER) && file.endsWith('.md'))
    .sort();
  const text = pages.map(repository.read).join('\n');
  const titles = [...text.matchAll(/^### ([A-Z_]+)$/gm)].map(([, title = '']) => title);
  const exits = [...repository.read(CLI).matchAll(/^\| (\d+) \|/gm)].map(([, code = '']) => code);
  const alone = [...text.matchAll(/`(--[a-z][a-z-]*)(?=[ `])/g)].map(([, flag = '']) => flag);
  return [
    ...problemsOf(
      CLI,
      differences(Object.values(EXIT).map(String), exits, ['no exit code', 'an exit code that is none']),
    ),
    ...problemsOf(
      WARNINGS,
      formerNotices(repository).map((code) => `a notice that is none: ${code}`),
    ),
    ...problemsOf(INDEX, [
      ...differences(Object.keys(errors), titles, ['no section for', 'a section for no code']),
      ...titles
        .filter((title, at) => titles.indexOf(title) !== at)
        .map((title) => `two sections for ${title}`),
      ...[...new Set(noticesOf(repository))]
        .filter((code) => !text.includes(`\`${code}\``))
        .map((code) => `no notice ${code}`),
      ...[...new Set(alone)]
        .filter((flag) => !OPTIONS.has(flag))
        .map((flag) => `the terminal has no ${flag}`),
    ]),
  ];
}
