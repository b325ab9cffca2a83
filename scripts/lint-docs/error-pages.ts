import { EXIT } from '../../src/cli/exit-codes.ts';
import type { DockerState } from '../../src/shared/docker/docker-trouble.ts';
import errors from '../../src/shared/words/locales/en/errors.json' with { type: 'json' };
import { unknownOptions } from './pages.ts';
import { differences, problemsOf, type Problem, type Repository } from './problem.ts';

const FOLDER = 'docs/reference/errors/';
const INDEX = `${FOLDER}README.md`;
/** The type makes it an error to forget a state. */
const STATES: Record<DockerState, true> = {
  'not-installed': true,
  stopped: true,
  starting: true,
  forbidden: true,
  paused: true,
  'windows-containers': true,
  'wrong-context': true,
  'broken-context': true,
  'remote-unreachable': true,
  unknown: true,
};

/** A text as the page quotes it: what differs from case to case is its name in italics. */
const quoted = (text: string): string => `> ${text.replace(/\{\{(\w+)\}\}/g, '_$1_')}`;

/** The codes of all notices. */
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

/** A code, state, or group of notices, and the lines below its heading. */
interface Section {
  page: string;
  title: string;
  lines: string[];
}

function sectionsOf(page: string, markdown: string): Section[] {
  return markdown
    .split(/^(?=#{2,3} )/m)
    .filter((part) => part.startsWith('### '))
    .map((part) => {
      const [heading = '', ...lines] = part.split('\n');
      return { page, title: heading.slice('### '.length), lines };
    });
}

/** Whether the pages of errors have every code, state, exit code, and notice, in the words that people see. */
export function errorProblems(repository: Repository): Problem[] {
  const pages = [...repository.files]
    .filter((file) => file.startsWith(FOLDER) && file.endsWith('.md'))
    .sort();
  const text = pages.map(repository.read).join('\n');
  const index = pages.includes(INDEX) ? repository.read(INDEX) : '';
  const sections = pages.flatMap((page) => sectionsOf(page, repository.read(page)));
  const codes = sections.filter(({ title }) => /^[A-Z_]+$/.test(title));
  const titles = codes.map(({ title }) => title);
  const ofCodes = codes.flatMap(({ page, title, lines }) => {
    const message = Object.hasOwn(errors, title) ? [errors[title as keyof typeof errors].message] : [];
    const quotes = lines.filter((line) => line.startsWith('>'));
    const link = `(${page.slice(FOLDER.length)}#${title.toLowerCase()})`;
    return problemsOf(page, [
      ...differences(message.map(quoted), quotes, [`${title} lacks`, `${title} quotes`]),
      ...(index.includes(link) ? [] : [`${INDEX} does not link to ${title}`]),
    ]);
  });
  const exits = [...index.matchAll(/^\| `(\d+)` +\|/gm)].map(([, code = '']) => code);
  const alone = [...text.matchAll(/`(--[a-z][a-z-]*)(?=[ `])/g)].map(([, flag = '']) => flag);
  return [
    ...ofCodes,
    ...problemsOf(INDEX, [
      ...differences(Object.keys(errors), titles, ['no section for', 'a section for no code']),
      ...titles
        .filter((title, at) => titles.indexOf(title) !== at)
        .map((title) => `two sections for ${title}`),
      ...Object.keys(STATES)
        .filter((state) => !sections.some(({ title }) => title === state))
        .map((state) => `no section for the state ${state}`),
      ...differences(Object.values(EXIT).map(String), exits, ['no exit code', 'an exit code that is none']),
      ...[...new Set(noticesOf(repository))]
        .filter((code) => !text.includes(`\`${code}\``))
        .map((code) => `no notice ${code}`),
      ...[...new Set(alone)]
        .flatMap((flag) => unknownOptions(flag))
        .map((flag) => `the terminal has no ${flag}`),
    ]),
  ];
}
