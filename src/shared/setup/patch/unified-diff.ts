import { baseOf } from '../file-names.ts';
import { hiddenLines, linesOf, secretLines } from './shown-lines.ts';
import { edited, type Edit } from './text-edits.ts';
import type { YamlFile } from './yaml-file.ts';

/** Lines of the old text that become others; lines from 0, `to` not included. */
interface Block {
  from: number;
  to: number;
  lines: string[];
}

interface Hunk {
  /** Of the old text, with context. */
  from: number;
  to: number;
  blocks: Block[];
}

const CONTEXT = 3;

/**
 * A diff that plain `git apply` takes from the file's folder: without a `diff --git` line, which would make the name
 * relative to the repository. No line with a value of an environment or a secret is in it: there, the context ends.
 * Git needs one line of context behind a change, except at the end of the file. Throws a Refusal where that line can't
 * be shown. The edits are known, so there is nothing to search for.
 */
export function unifiedDiff(file: YamlFile, edits: readonly Edit[], service: string): string {
  const text = file.mark + file.text;
  const lines = splitLines(text);
  const secret = secretLines(file, service, edits);
  const hidden = hiddenLines(file, service);
  const blocks = blocksOf(
    text,
    lines,
    edits.map((edit) => ({
      ...edit,
      start: edit.start + file.mark.length,
      end: edit.end + file.mark.length,
    })),
  );
  const name = baseOf(file.file);
  const output = [`--- ${quotedName('a', name)}`, `+++ ${quotedName('b', name)}`];
  let shift = 0;
  const refuseSecret = (line: number): void => {
    if (!secret.has(line)) return;
    const before = lines.slice(0, line).join('').length;
    throw file.refusal('secretLine', Math.max(0, before - file.mark.length));
  };
  for (const hunk of hunksOf(blocks, lines.length, hidden, refuseSecret)) {
    const body: string[] = [];
    let at = hunk.from;
    let added = 0;
    for (const { from, to, lines: own } of hunk.blocks) {
      for (; at < from; at++) body.push(` ${lines[at] ?? ''}`);
      for (; at < to; at++) {
        refuseSecret(at);
        body.push(`-${lines[at] ?? ''}`);
      }
      for (const line of own) body.push(`+${line}`);
      added += own.length - (to - from);
    }
    for (; at < hunk.to; at++) body.push(` ${lines[at] ?? ''}`);
    const count = hunk.to - hunk.from;
    output.push(`@@ -${rangeText(hunk.from, count)} +${rangeText(hunk.from + shift, count + added)} @@`);
    output.push(
      ...body.map((line) =>
        line.endsWith('\n') ? line.slice(0, -1) : `${line}\n\\ No newline at end of file`,
      ),
    );
    shift += added;
  }
  return `${output.join('\n')}\n`;
}

/** With their breaks. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function rangeText(from: number, count: number): string {
  return `${count === 0 ? from : from + 1},${count}`;
}

/** As Git quotes names (git config, core.quotePath). */
function quotedName(side: string, name: string): string {
  const full = `${side}/${name}`;
  return /["\\\x00-\x1f]/.test(name) ? JSON.stringify(full) : name.includes(' ') ? `${full}\t` : full;
}

function blocksOf(text: string, lines: readonly string[], edits: readonly Edit[]): Block[] {
  const lineAt = linesOf(text);
  const startOfLine = (line: number): number =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length, 0);
  const found: { from: number; to: number; edits: Edit[] }[] = [];
  for (const edit of edits) {
    const from = lineAt(edit.start);
    const last = lineAt(edit.end);
    const isWhole =
      edit.start === startOfLine(from) && edit.end === startOfLine(last) && /(^|\n)$/.test(edit.text);
    const to = isWhole ? last : Math.min(last + 1, lines.length);
    const before = found.at(-1);
    // Without a line between them they are one.
    if (before !== undefined && from <= before.to) {
      before.to = Math.max(before.to, to);
      before.edits.push(edit);
    } else found.push({ from, to, edits: [edit] });
  }
  return found.map(({ from, to, edits: own }) => {
    const start = startOfLine(from);
    const after = edited(
      text.slice(start, startOfLine(to)),
      own.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
    );
    return trimmed({ from, to, lines: splitLines(after) }, lines);
  });
}

/** Without lines that stay. */
function trimmed({ from, to, lines: own }: Block, lines: readonly string[]): Block {
  const left = [...own];
  while (from < to && left.length > 0 && left[0] === lines[from]) {
    left.shift();
    from++;
  }
  while (from < to && left.length > 0 && left.at(-1) === lines[to - 1]) {
    left.pop();
    to--;
  }
  return { from, to, lines: left };
}

function hunksOf(
  blocks: readonly Block[],
  count: number,
  hidden: ReadonlySet<number>,
  refuseSecret: (line: number) => void,
): Hunk[] {
  const hunks: Hunk[] = [];
  for (const [index, block] of blocks.entries()) {
    const before = hunks.at(-1);
    const end = blocks[index + 1]?.from ?? count;
    let to = block.to;
    while (to < end && to < block.to + CONTEXT && !hidden.has(to)) to++;
    if (to === block.to && to < count) refuseSecret(to++);
    let from = block.from;
    const least = before?.to ?? 0;
    while (from > least && from > block.from - CONTEXT && !hidden.has(from - 1)) from--;
    if (before !== undefined && from === before.to) {
      before.to = to;
      before.blocks.push(block);
    } else hunks.push({ from, to, blocks: [block] });
  }
  return hunks;
}
