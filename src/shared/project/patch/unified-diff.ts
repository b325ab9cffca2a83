import { isPair, visit } from 'yaml';
import { baseOf } from '../file-names.ts';
import { isEntrypoint, isServerProgram } from '../../options/command-words.ts';
import { isPlainValue, serverOption } from '../../options/option.ts';
import type { ProjectFile } from '../project.ts';
import { endOf, keyOf, startOf } from './service-text.ts';
import { edited, type Edit } from './text-edits.ts';

/** Lines from 0, `to` not included. */
interface Block {
  from: number;
  to: number;
  lines: string[];
}

interface Hunk {
  from: number;
  to: number;
  blocks: Block[];
}

const CONTEXT = 3;

interface Diff {
  diff: string;
  /** A line that changes, or the one behind it, has a value that only its owner can judge. */
  mayShowSecret: boolean;
}

/**
 * Plain `git apply` takes it from the file's folder: a `diff --git` line would make the name relative to the
 * repository. Context ends where a line may have a secret, except for the line that Git needs behind a change.
 */
export function unifiedDiff(file: ProjectFile, edits: readonly Edit[]): Diff {
  const text = file.mark + file.text;
  const lines = linesOf(text);
  const { length } = file.mark;
  const moved = edits.map((edit) => ({ ...edit, start: edit.start + length, end: edit.end + length }));
  const name = baseOf(file.source.file);
  const output = [`--- ${quotedName('a', name)}`, `+++ ${quotedName('b', name)}`];
  const secret = secretLines(file);
  const hunks = hunksOf(blocksOf(text, lines, moved), lines.length, secret);
  let shift = 0;
  for (const hunk of hunks) {
    const body: string[] = [];
    let at = hunk.from;
    let added = 0;
    for (const { from, to, lines: own } of hunk.blocks) {
      body.push(
        ...lines.slice(at, from).map((line) => ` ${line}`),
        ...lines.slice(from, to).map((line) => `-${line}`),
        ...own.map((line) => `+${line}`),
      );
      at = to;
      added += own.length - (to - from);
    }
    body.push(...lines.slice(at, hunk.to).map((line) => ` ${line}`));
    const count = hunk.to - hunk.from;
    output.push(`@@ -${rangeText(hunk.from, count)} +${rangeText(hunk.from + shift, count + added)} @@`);
    output.push(
      ...body.map((line) =>
        line.endsWith('\n') ? line.slice(0, -1) : `${line}\n\\ No newline at end of file`,
      ),
    );
    shift += added;
  }
  const shown = hunks.flatMap(({ from, to }) =>
    lines.slice(from, to).filter((line, index) => secret.has(from + index) && !isPlain(line)),
  );
  return { diff: `${output.join('\n')}\n`, mayShowSecret: shown.length > 0 };
}

/** A key, the server's program, and options with values that can't be a secret. */
function isPlain(line: string): boolean {
  return line.split(/[\s,[\]"']+/).every((word) => {
    if (/^(?:-|[>|][+-]?|[\w-]+:)?$/.test(word) || isServerProgram(word) || isEntrypoint(word)) return true;
    const option = serverOption(word);
    return option !== undefined && isPlainValue(option.value);
  });
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function rangeText(from: number, count: number): string {
  return `${count === 0 ? from : from + 1},${count}`;
}

/** Git config, core.quotePath. */
function quotedName(side: string, name: string): string {
  const full = `${side}/${name}`;
  return /["\\\x00-\x1f]/.test(name) ? JSON.stringify(full) : name.includes(' ') ? `${full}\t` : full;
}

function blocksOf(text: string, lines: readonly string[], edits: readonly Edit[]): Block[] {
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length);
  const begun = text.endsWith('\n') ? starts : starts.slice(0, -1);
  const lineAt = (offset: number): number => begun.filter((start) => start <= offset).length - 1;
  const found: { from: number; to: number; edits: Edit[] }[] = [];
  for (const edit of edits) {
    const from = lineAt(edit.start);
    const to = Math.min(lineAt(edit.end) + 1, lines.length);
    const before = found.at(-1);
    if (before !== undefined && from < before.to) {
      before.to = Math.max(before.to, to);
      before.edits.push(edit);
    } else found.push({ from, to, edits: [edit] });
  }
  return found.map(({ from, to, edits: own }) => {
    const start = starts[from] ?? 0;
    const moved = own.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
    const block = { from, to, lines: linesOf(edited(text.slice(start, starts[to]), moved)) };
    for (; block.from < block.to && block.lines[0] === lines[block.from]; block.from++) block.lines.shift();
    for (; block.from < block.to && block.lines.at(-1) === lines[block.to - 1]; block.to--) block.lines.pop();
    return block;
  });
}

function hunksOf(blocks: readonly Block[], count: number, secret: ReadonlySet<number>): Hunk[] {
  const hunks: Hunk[] = [];
  for (const [index, block] of blocks.entries()) {
    const before = hunks.at(-1);
    const end = blocks[index + 1]?.from ?? count;
    let to = block.to;
    while (to < end && to < block.to + CONTEXT && (to === block.to || !secret.has(to))) to++;
    const least = before?.to ?? 0;
    let from = block.from;
    while (from > least && from > block.from - CONTEXT && !secret.has(from - 1)) from--;
    if (before !== undefined && from === before.to) {
      before.to = to;
      before.blocks.push(block);
    } else hunks.push({ from, to, blocks: [block] });
  }
  return hunks;
}

/** Their values are no secrets. */
const HARMLESS = new Set(
  `version name networks volumes image container_name hostname platform profiles restart extends pull_policy
  volumes_from tmpfs ports expose network_mode depends_on links deploy cpus cpuset cpu_quota cpu_period cpu_shares
  mem_limit mem_reservation memswap_limit ulimits shm_size init user cap_add security_opt scale stop_grace_period
  privileged tty stdin_open`.split(/\s+/),
);
/** May be secret: an address with a login, or a comment that was once a setting. */
const TELLING =
  /(?:pass|pwd|secret|token|credential|private|api.?key)\S*["']?(?:[:=\s]\s*\S)|:\/\/[^\s/]*@|#.*\b[A-Z][A-Z0-9]*_[A-Z0-9_]+["']?\s*[:=]/i;

/** From 0. */
function secretLines({ document, text, lines }: ProjectFile): Set<number> {
  const secret = new Set<number>();
  for (const [line, own] of text.split('\n').entries()) if (TELLING.test(own)) secret.add(line);
  visit(document, {
    Scalar: (key, node, path) => {
      const names = path.flatMap((one) => (isPair(one) ? (keyOf(one) ?? '') : []));
      const field = names[0] === 'services' ? names[2] : names[0];
      if (key === 'key' || (HARMLESS.has(field ?? '') && !names.includes('driver_opts'))) return;
      const last = lines.linePos(endOf(node, text)).line;
      for (let { line } = lines.linePos(startOf(node)); line <= last; line++) secret.add(line - 1);
    },
  });
  return secret;
}
