import { EXIT } from '../../src/cli/exit-codes.ts';
import type { DockerState } from '../../src/shared/docker/docker-trouble.ts';
import errors from '../../src/shared/words/locales/en/errors.json' with { type: 'json' };
import ui from '../../src/shared/words/locales/en/ui.json' with { type: 'json' };
import { unknownOptions } from './pages.ts';
import { differences, problemsOf, type Problem, type Repository } from './problem.ts';

const PAGE = 'docs/troubleshooting.md';
const { guide } = ui;
/** The type makes it an error to forget a state. */
const TITLES: Record<DockerState, string[]> = {
  'not-installed': [guide.notInstalled.title],
  stopped: [guide.stopped.title, guide.stopped.titleUnknown],
  starting: [guide.starting.title],
  forbidden: [guide.forbidden.title],
  paused: [guide.paused.title],
  'windows-containers': [guide.windowsContainers.title],
  'wrong-context': [guide.wrongContext.title],
  'broken-context': [guide.brokenContext.title],
  'remote-unreachable': [guide.remote.title],
  unknown: [guide.unknown.title],
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

/** Whether the page of errors has every code, state, exit code, and notice, in the words that people see. */
export function errorProblems(repository: Repository): Problem[] {
  const page = repository.read(PAGE);
  const sections = new Map(
    page
      .split(/^(?=#{2,3} )/m)
      .filter((part) => part.startsWith('### '))
      .map((part) => {
        const [heading = '', ...lines] = part.split('\n');
        return [heading.slice('### '.length), lines] as const;
      }),
  );
  const codes = [...sections.keys()].filter((title) => /^[A-Z_]+$/.test(title));
  const quotes = (title: string, texts: string[]): string[] => {
    const said = (sections.get(title) ?? []).filter((line) => line.startsWith('>'));
    return differences(texts.map(quoted), said, [`${title} lacks`, `${title} quotes`]);
  };
  const parts = codes.flatMap((code) => {
    const text = (sections.get(code) ?? []).join('\n');
    return ['Look closer', 'What to do']
      .filter((label) => !new RegExp(`^- \\*\\*${label}:\\*\\* .*\\S`, 'm').test(text))
      .map((label) => `${code} has no “${label}”`);
  });
  const exits = [...page.matchAll(/^\| `(\d+)` \|/gm)].map(([, code = '']) => code);
  const notices = noticesOf(repository);
  const alone = [...page.matchAll(/`(--[a-z][a-z-]*)(?=[ `])/g)].map(([, flag = '']) => flag);
  return problemsOf(PAGE, [
    ...differences(Object.keys(errors), codes, ['no section for', 'a section for no code']),
    ...Object.entries(errors).flatMap(([code, { message }]) => quotes(code, [message])),
    ...parts,
    ...Object.entries(TITLES).flatMap(([state, titles]) => quotes(state, titles)),
    ...differences(Object.values(EXIT).map(String), exits, ['no exit code', 'an exit code that is none']),
    ...[...new Set(notices)]
      .filter((code) => !page.includes(`\`${code}\``))
      .map((code) => `no notice ${code}`),
    ...alone.flatMap((flag) => unknownOptions(flag)).map((flag) => `the terminal has no ${flag}`),
  ]);
}
