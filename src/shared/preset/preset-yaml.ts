import { messageOf } from '../errors.ts';
import { englishOf, msg, type Said } from '../message.ts';
import { isScalar, Lexer, LineCounter, parseDocument, visit, type Document, type ErrorCode } from 'yaml';

interface YamlLimits {
  /** Characters. */
  longest: number;
  aliases: number;
  /** No problem quotes the text. */
  isPrivate?: true;
}

/** The longest built-in preset has 3,500 characters; `yamlValue` walks the whole document for each alias. */
export const PRESET_LIMITS: YamlLimits = { longest: 64 * 1024, aliases: 200 };

/** Why a text isn't usable YAML; lines are 1-based. */
export interface YamlProblem {
  line: number;
  problem: Said;
}

interface PresetYaml {
  document: Document;
  lines: LineCounter;
  problems: YamlProblem[];
}

/** In linear time and memory; the library is quadratic for maps with many keys, nested aliases, and nested lists. */
export function readYaml(text: string, limits: YamlLimits = PRESET_LIMITS): PresetYaml {
  const lines = new LineCounter();
  if (text.length > limits.longest) {
    return unread(1, msg('yaml.tooLong', { count: limits.longest / 1024 }));
  }
  const line = lineOfAlias(text, limits.aliases + 1);
  if (line !== undefined) return unread(line, msg('yaml.aliases', { count: limits.aliases }));
  // The library compares all keys of a map with each other.
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
  const found = document.errors.map(({ pos, code, message }): [string, YamlProblem] => {
    const said = limits.isPrivate === true ? withoutQuotes(code) : inWords(message);
    const problem = { line: lineAt(pos[0]), problem: said };
    return [`${problem.line} ${englishOf(problem.problem)}`, problem];
  });
  // The library may report one problem several times.
  const problems = [...new Map(found).values()];
  if (problems.length === 0) problems.push(...structureProblems(document, lineAt));
  return { document, lines, problems };
}

/** Tokens of the lexer that aren't in the text: begin of a document, end of flow, and what precedes a plain scalar. */
const SCALAR = '\u001f';
const CONTROLS = new Set(['\u0002', '\u0018', SCALAR]);

function unread(line: number, problem: Said): PresetYaml {
  return { document: parseDocument(''), lines: new LineCounter(), problems: [{ line, problem }] };
}

/** Of alias number `count`. Composing thousands of misplaced aliases takes seconds, so they are counted before. */
function lineOfAlias(text: string, count: number): number | undefined {
  let [aliases, offset, before] = [0, 0, ''];
  for (const token of new Lexer().lex(text)) {
    const isControl = CONTROLS.has(token);
    if (token.startsWith('*') && before !== SCALAR && ++aliases === count) {
      return text.slice(0, offset).split('\n').length;
    }
    if (!isControl) offset += token.length;
    before = token;
  }
  return undefined;
}

function deepestLine(text: string): number {
  const depths = text.split('\n').map((line) => line.search(/[^\s?:{["'-]/));
  return 1 + depths.reduce((deepest, depth, index) => (depth > (depths[deepest] ?? 0) ? index : deepest), 0);
}

export function yamlValue(document: Document): { ok: true; value: unknown } | { ok: false; problem: Said } {
  try {
    return { ok: true, value: document.toJS({ maxAliasCount: PRESET_LIMITS.aliases }) };
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

/** The library's messages quote what they found. */
function withoutQuotes(code: ErrorCode): Said {
  if (code === 'TAB_AS_INDENT') return msg('yaml.tab');
  return code === 'MULTIPLE_DOCS' ? msg('yaml.documents') : msg('yaml.invalid');
}

/** The library's first line; it reports depth as a stack overflow. */
function inWords(message: string): Said {
  return /call stack/i.test(message) ? msg('yaml.tooDeep') : (message.split('\n')[0] ?? message);
}
