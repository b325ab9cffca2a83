import { arch, cpus, release, totalmem } from 'node:os';
import type { Settings } from '../../shared/model/settings.ts';
import type { DiagnosticsPart } from '../../shared/contract/requests/app.ts';
import { formatBytes } from '../../shared/units.ts';
import { folderBytes } from '../files/folder-size.ts';
import { cleanerFor, logFile, whoseMachine } from '../log/log.ts';
import { readFile } from 'node:fs/promises';
import { freeBytes } from '../files/free-bytes.ts';
import * as z from 'zod';
import { setAside } from '../log/rotating-file.ts';
import { jsonOf } from '../files/json.ts';

const LOG_LINES = 200;
/** A bug report has at most 65,536 characters. */
const MOST_LOG_CHARS = 45_000;
const MOST_LINE_CHARS = 600;

interface DiagnosticsSources {
  dataDir: string;
  appVersion: string;
  program: string[];
  settings: Settings;
  engine: readonly DiagnosticsPart[];
}

/** Markdown in English without private details. Never rejects. */
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
        `${cpus().length} CPUs (${cpus()[0]?.model.trim() ?? ''}), ${formatBytes(totalmem())} of memory`,
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
  const log = latest((await logTail(dataDir, LOG_LINES)).map((line) => shortened(clean(line))));
  return ['### Whalemark diagnostics', ...body, logBlock(log)].join('\n\n') + '\n';
}

/** Runtime ids may contain a context's name. */
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

function latest(lines: string[]): string[] {
  let chars = 0;
  const fitting = [...lines].reverse().filter((line) => (chars += line.length + 1) <= MOST_LOG_CHARS);
  return fitting.reverse();
}

function logBlock(lines: string[]): string {
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

const lineSchema = z.looseObject({
  at: z.string(),
  process: z.string(),
  pid: z.number(),
  level: z.string(),
  message: z.string(),
});

export async function logTail(dataDir: string, most: number): Promise<string[]> {
  const path = logFile(dataDir);
  let lines: string[] = [];
  for (const file of [...setAside(path), path].reverse()) {
    const text = await readFile(file, 'utf8').catch(() => '');
    lines = [...text.split('\n').filter((line) => line !== ''), ...lines];
    if (lines.length >= most) break;
  }
  return lines.slice(-most).map(readable);
}

function readable(text: string): string {
  const line = lineSchema.safeParse(jsonOf(text)).data;
  if (line === undefined) return text;
  const { at, process, pid, level, message, ...fields } = line;
  const more = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`;
  return `${at} ${process} ${pid} ${level}: ${message}${more}`;
}
