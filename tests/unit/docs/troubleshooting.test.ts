import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import type { DockerState } from '../../../src/shared/docker/docker-trouble.ts';
import errors from '../../../src/shared/words/locales/en/errors.json' with { type: 'json' };
import report from '../../../src/shared/words/locales/en/report.json' with { type: 'json' };
import ui from '../../../src/shared/words/locales/en/ui.json' with { type: 'json' };

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = read('docs/troubleshooting.md');

/** Every `###` section: its heading and what follows until the next heading. */
const sections = page
  .split(/^(?=#{2,3} )/m)
  .filter((part) => part.startsWith('### '))
  .map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    return { title: heading.slice('### '.length), lines };
  });
const ofCodes = sections.filter(({ title }) => /^[A-Z_]+$/.test(title));

/** A text as the page quotes it: what differs from case to case stands as its name, slanted. */
function quoted(text: string): string {
  return `> ${text.replace(/\{\{(\w+)\}\}/g, '_$1_')}`;
}

function linesOf(title: string): string[] {
  return sections.find((section) => section.title === title)?.lines ?? [];
}

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

/** The codes of the remarks with this text: some codes have several texts, some texts several codes. */
function remarksOf(key: string): string[] {
  const name = key.replace(/_(one|other|NAMED)$/, '');
  if (name.startsWith('CLIENT_BOUND_')) return ['CLIENT_BOUND'];
  if (name === 'HOST_MEMORY_WARNING') return ['HOST_MEMORY_PRESSURE'];
  return name === 'ROUNDS_ENDED' ? ['ROUNDS_ENDED_SETTLED', 'ROUNDS_ENDED_BUDGET', 'ROUNDS_USED_UP'] : [name];
}

/** Codes of what plan and run remark themselves. */
function remarksOfRuns(): string[] {
  const sources = ['src/benchmark/plan', 'src/benchmark/run'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => read(`${folder}/${name}`)),
  );
  return sources.flatMap((source) =>
    [...source.matchAll(/(?:code: |notice\(\s*)'([A-Z_]+)'/g)].map(([, code = '']) => code),
  );
}

/** What the page says to type: the first word behind `whalemark`, and the options. */
const commands = [...page.matchAll(/(?:^|`)whalemark ([^`\n]+)/gm)].map(([, rest = '']) => {
  // The value of --option is an option of the server's.
  const [line = ''] = rest.replace(/--option --\S+/g, '--option').split('#');
  const [name = ''] = line.trim().split(/\s+/);
  return { name, flags: line.match(/--[a-z][a-z-]*/g) ?? [] };
});
/** Options that stand alone in the text. */
const loneFlags = [...page.matchAll(/`(--[a-z][a-z-]*)(?=[ `])/g)].map(([, flag = '']) => flag);

/** As GitHub makes an anchor of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

function anchorsIn(text: string): string[] {
  return [...text.matchAll(/^#{1,4} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

describe('docs/troubleshooting.md', () => {
  it('has exactly one section for every error code, and none for another', () => {
    expect(ofCodes.map(({ title }) => title).sort()).toEqual(Object.keys(errors).sort());
  });

  it.each(Object.entries(errors))('quotes the message of %s as users see it', (code, { message }) => {
    expect(linesOf(code).filter((line) => line.startsWith('>'))).toEqual([quoted(message)]);
  });

  it.each(ofCodes.map(({ title }) => title))('says of %s how to look closer and what to do', (code) => {
    const text = linesOf(code).join('\n');
    expect(text).toMatch(/^- \*\*Look closer:\*\* .*\S/m);
    expect(text).toMatch(/^- \*\*What to do:\*\* .*\S/m);
  });

  it.each(Object.entries(TITLES))('has the state %s of Docker under its titles', (state, titles) => {
    expect(linesOf(state).filter((line) => line.startsWith('>'))).toEqual(titles.map(quoted));
  });

  it('names every exit code', () => {
    const codes = [...page.matchAll(/^\| `(\d+)` \|/gm)].map(([, code]) => Number(code));
    expect(codes).toEqual(Object.values(EXIT));
  });

  it('names every remark beside numbers', () => {
    const ofRuns = remarksOfRuns();
    const remarks = [...Object.keys(report.notice).flatMap(remarksOf), ...ofRuns];
    expect(remarks.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
    expect(ofRuns).toEqual(expect.arrayContaining(['IMAGE_SUBSTITUTED', 'CONSISTENCY_UNKNOWN']));
  });

  it('names only commands and options that the terminal has', () => {
    const source = read('src/cli/commands.ts');
    const help = /const HELP = `([^`]*)`/.exec(source)?.[1] ?? '';
    const known = new Set([...help.matchAll(/^ {2}whalemark (\w+)/gm)].map(([, name]) => name));
    const flags = new Set([...(help.match(/--[a-z][a-z-]*/g) ?? []), '--help', '--version']);
    const isKnown = (name: string): boolean => known.has(name) || name === 'X' || flags.has(name);
    expect(commands.map(({ name }) => name).filter((name) => !isKnown(name))).toEqual([]);
    expect(commands.flatMap((one) => one.flags).filter((flag) => !flags.has(flag))).toEqual([]);
    expect(loneFlags.filter((flag) => !flags.has(flag))).toEqual([]);
    expect(known.size).toBeGreaterThan(10);
    expect(commands.length).toBeGreaterThan(40);
  });

  it('links to headings that exist', () => {
    const links = [...page.matchAll(/\]\(([a-z.-]*)#([^)]+)\)/g)];
    const broken = links.filter(([, file = '', anchor = '']) => {
      const text = file === '' ? page : existsSync(join(root, 'docs', file)) ? read(`docs/${file}`) : '';
      return !anchorsIn(text).includes(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
    expect(links.length).toBeGreaterThan(40);
  });
});
