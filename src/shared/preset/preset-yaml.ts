import { messageOf } from '../errors.ts';
import { englishOf, msg, type Said } from '../message.ts';
import { isNode, isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';

/** The most text: Compose files have some thousand lines, built-in presets 3,500 characters. */
const LONGEST_KIB = 256;

/** Lines are 1-based. */
export interface YamlProblem {
  line: number;
  problem: Said;
}

interface PresetYaml {
  document: Document;
  lines: LineCounter;
  problems: YamlProblem[];
}

export function readYaml(text: string): PresetYaml {
  const lines = new LineCounter();
  if (text.length > LONGEST_KIB * 1024) return unread(1, msg('yaml.tooLong', { count: LONGEST_KIB }));
  // The library compares all keys with each other, so they are checked below.
  let document: Document;
  try {
    document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      uniqueKeys: false,
      logLevel: 'error',
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return unread(deepestLine(text), msg('yaml.tooDeep'));
  }
  const lineAt = (offset: number | undefined): number => lines.linePos(offset ?? 0).line;
  const found = document.errors.map(({ pos, message }): [string, YamlProblem] => {
    const problem = { line: lineAt(pos[0]), problem: inWords(message) };
    return [`${problem.line} ${englishOf(problem.problem)}`, problem];
  });
  // The library may report one problem several times.
  const problems = [...new Map(found).values()];
  if (problems.length === 0) problems.push(...structureProblems(document, lineAt));
  return { document, lines, problems };
}

function unread(line: number, problem: Said): PresetYaml {
  return { document: parseDocument(''), lines: new LineCounter(), problems: [{ line, problem }] };
}

function deepestLine(text: string): number {
  const depths = text.split('\n').map((line) => line.search(/[^\s?:{["'-]/));
  return 1 + depths.reduce((deepest, depth, index) => (depth > (depths[deepest] ?? 0) ? index : deepest), 0);
}

/** Undefined: the node has no place. */
export function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

export function yamlValue(document: Document): { ok: true; value: unknown } | { ok: false; problem: Said } {
  try {
    return { ok: true, value: document.toJS() };
  } catch (error) {
    return { ok: false, problem: inWords(messageOf(error)) };
  }
}

function structureProblems(
  document: Document,
  lineAt: (offset: number | undefined) => number,
): YamlProblem[] {
  const problems: YamlProblem[] = [];
  const anchors = new Set<string>();
  visit(document, {
    Value(_, { anchor }) {
      if (anchor !== undefined) anchors.add(anchor);
    },
    Map(_, { anchor, items }) {
      if (anchor !== undefined) anchors.add(anchor);
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          problems.push({ line: lineAt(key.range?.[0]), problem: msg('yaml.sameKey') });
        }
        seen.add(key.value);
      }
    },
    Alias(_, { range, source }) {
      if (!anchors.has(source)) {
        problems.push({
          line: lineAt(range?.[0]),
          problem: msg('yaml.noAnchor', { name: source }),
        });
      }
    },
  });
  return problems;
}

/** The library's first line, which reports depth as a stack overflow. */
function inWords(message: string): Said {
  return /call stack/i.test(message) ? msg('yaml.tooDeep') : (message.split('\n')[0] ?? message);
}
