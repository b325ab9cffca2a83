import * as fs from 'node:fs/promises';
import { arch, release } from 'node:os';
import type { Settings } from '../../shared/model/settings.ts';
import type { DiagnosticsPart } from '../../shared/model/diagnostics-part.ts';
import { formatBytes } from '../../shared/words/units.ts';
import { folderBytes } from '../files/folder-size.ts';
import { cleanerFor, whoseMachine } from '../log/log.ts';
import { logTail } from '../log/log-tail.ts';

const LOG_LINES = 200;
/** Of the log together: a bug report takes 65,536 characters. */
const MOST_LOG_CHARS = 45_000;
const MOST_LINE_CHARS = 600;

export interface DiagnosticsSources {
  dataDir: string;
  appVersion: string;
  /** `app` or `terminal`, and what it runs in. */
  program: string[];
  settings: Settings;
  /** What `engineParts` gave, or what stands for it. */
  engine: readonly DiagnosticsPart[];
}

/**
 * The text of a bug report's diagnostics: Markdown, in English. No name of the machine, its user or another machine, no
 * folder but that it is the data folder, no address, no password. Never rejects.
 */
export async function diagnosticsText(sources: DiagnosticsSources): Promise<string> {
  const { dataDir, appVersion, program, settings, engine } = sources;
  const { text: clean } = cleanerFor(whoseMachine(dataDir));
  const parts: DiagnosticsPart[] = [
    {
      title: 'Program',
      lines: [
        `Whalemark ${appVersion}`,
        ...program,
        `${process.platform} ${release()} ${arch()}`,
        `made ${new Date().toISOString()}`,
      ],
    },
    { title: 'Settings', lines: settingsLines(settings) },
    { title: 'Data folder', lines: await folderLines(dataDir) },
    ...engine,
  ];
  const body = parts.map(({ title, lines }) =>
    [`**${title}**`, '', ...lines.map((line) => `- ${oneLine(clean(line)).trim()}`)].join('\n'),
  );
  // Every line was cleaned by the process that wrote it; a name may have been learnt since.
  const log = latest((await logTail(dataDir, LOG_LINES)).map((line) => shortened(clean(line))));
  return ['### Whalemark diagnostics', ...body, logBlock(log)].join('\n\n') + '\n';
}

/** The runtime's id may hold the name of a context. */
function settingsLines(settings: Settings): string[] {
  const runtimeId = settings.runtimeId?.replace(/:.*$/s, '') ?? null;
  return Object.entries({ ...settings, runtimeId }).map(([name, value]) => `${name}: ${String(value)}`);
}

async function folderLines(dataDir: string): Promise<string[]> {
  const own = (process.env['WHALEMARK_HOME'] ?? '') !== '';
  const free = await freeBytes(dataDir);
  return [
    own ? 'where WHALEMARK_HOME says' : 'in its usual place',
    `holds ${formatBytes(await folderBytes(dataDir))}`,
    `free on its disk: ${free === undefined ? 'not known' : formatBytes(free)}`,
  ];
}

/** Undefined where it can't be told: Node has no word for it before version 18. */
async function freeBytes(folder: string): Promise<number | undefined> {
  if (typeof fs.statfs !== 'function') return undefined;
  return fs.statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  );
}

/** As many of the last lines as fit. */
function latest(lines: string[]): string[] {
  let chars = 0;
  const fitting = [...lines].reverse().filter((line) => (chars += line.length + 1) <= MOST_LOG_CHARS);
  return fitting.reverse();
}

function logBlock(lines: string[]): string {
  // Longer than any fence in the lines.
  const longest = Math.max(
    2,
    ...lines.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length)),
  );
  const fence = '`'.repeat(longest + 1);
  return [
    `<details><summary>Log, the last ${lines.length} lines</summary>`,
    '',
    `${fence}text`,
    ...lines,
    fence,
    '',
    '</details>',
  ].join('\n');
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}

function shortened(line: string): string {
  return line.length <= MOST_LINE_CHARS ? line : `${line.slice(0, MOST_LINE_CHARS)}…`;
}
