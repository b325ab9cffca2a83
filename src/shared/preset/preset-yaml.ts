import { messageOf } from '../errors.ts';
import { isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';

/** Longer texts are no presets; the longest built-in one has 3,500 characters. */
const LONGEST = 64 * 1024;
/** An alias makes a copy of what it stands for, and looking that up takes a walk through the whole document. */
const MOST_ALIASES = 200;

const TOO_DEEP = 'it is nested too deeply';

/** What keeps a text from being YAML that a preset could be, with its line (1-based). */
export interface YamlProblem {
  line: number;
  message: string;
}

export interface PresetYaml {
  document: Document;
  lines: LineCounter;
  /** The first ones; none when `value` can be asked for. */
  problems: YamlProblem[];
}

/**
 * Reads YAML that anybody may have written. Unlike the library alone it takes time and memory in proportion to the
 * text, whatever is in it: maps of many keys, aliases of aliases, lists within lists.
 */
export function readYaml(text: string): PresetYaml {
  const lines = new LineCounter();
  if (text.length > LONGEST) {
    const message = `the text is longer than ${LONGEST / 1024} KiB, so it is no preset`;
    return unread(1, message);
  }
  // The library compares every key with every other one of its map.
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
    return unread(deepestLine(text), TOO_DEEP);
  }
  const lineAt = (offset: number | undefined): number => lines.linePos(offset ?? 0).line;
  const found = document.errors.map(({ pos, message }): [string, YamlProblem] => {
    const problem = { line: lineAt(pos[0]), message: inWords(message) };
    return [`${problem.line} ${problem.message}`, problem];
  });
  // Several errors of the library may be one to its reader.
  const problems = [...new Map(found).values()];
  if (problems.length === 0) problems.push(...structureProblems(document, lineAt));
  return { document, lines, problems };
}

function unread(line: number, message: string): PresetYaml {
  return { document: parseDocument(''), lines: new LineCounter(), problems: [{ line, message }] };
}

/** The line with the most in front of its first word (1-based). */
function deepestLine(text: string): number {
  const depths = text.split('\n').map((line) => line.search(/[^\s?:{["'-]/));
  return 1 + depths.reduce((deepest, depth, index) => (depth > (depths[deepest] ?? 0) ? index : deepest), 0);
}

/** The data of YAML without problems. Throws an error with a message for people when it can't be had. */
export function yamlValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    throw new Error(inWords(messageOf(error)), { cause: error });
  }
}

function structureProblems(
  document: Document,
  lineAt: (offset: number | undefined) => number,
): YamlProblem[] {
  const problems: YamlProblem[] = [];
  const anchors = new Set<string>();
  let aliases = 0;
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
          problems.push({ line: lineAt(key.range?.[0]), message: 'Map keys must be unique' });
        }
        seen.add(key.value);
      }
    },
    Alias(_, { range, source }) {
      aliases += 1;
      if (!anchors.has(source)) {
        problems.push({
          line: lineAt(range?.[0]),
          message: `there is no anchor “${source}” before its alias`,
        });
      }
      if (aliases <= MOST_ALIASES) return undefined;
      problems.push({ line: lineAt(range?.[0]), message: `there are more than ${MOST_ALIASES} aliases` });
      return visit.BREAK;
    },
  });
  return problems;
}

/** The first line of what the library says; it knows depth only as the end of its stack. */
function inWords(message: string): string {
  return /call stack/i.test(message) ? TOO_DEEP : (message.split('\n')[0] ?? message);
}
