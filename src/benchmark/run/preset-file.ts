import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { BenchmarkError } from '../../shared/errors.ts';
import { presetSchema, type Preset } from '../../shared/model/preset.ts';

/**
 * Reads a preset from YAML text. Rejects with PRESET_INVALID; each evidence line names the line, the field and
 * what is wrong with it.
 */
export function parsePreset(text: string, name: string): Preset {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: true, uniqueKeys: true });
  if (document.errors.length > 0) {
    throw invalid(
      name,
      document.errors.map((error) => `line ${lines.linePos(error.pos[0]).line}: ${firstLine(error.message)}`),
    );
  }
  const lineOf = (path: readonly PropertyKey[]): number | undefined => {
    // The deepest node on the way that exists: a missing key is blamed on its parent.
    for (let depth = path.length; depth > 0; depth--) {
      const node: unknown = document.getIn(path.slice(0, depth), true);
      const range = rangeOf(node);
      if (range !== undefined) return lines.linePos(range).line;
    }
    return undefined;
  };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw invalid(name, [error instanceof Error ? firstLine(error.message) : String(error)]);
  }
  return checkPreset(value, name, lineOf);
}

/** Checks a preset that is already an object; `lineOf` finds the line of a field, where there is a file. */
export function checkPreset(
  value: unknown,
  name: string,
  lineOf: (path: readonly PropertyKey[]) => number | undefined = () => undefined,
): Preset {
  const parsed = presetSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problem = (path: readonly PropertyKey[], message: string): string => {
    const line = lineOf(path);
    const field = path.map(String).join('.') || 'preset';
    return `${line === undefined ? '' : `line ${line}: `}${field}: ${message}`;
  };
  throw invalid(
    name,
    parsed.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => problem([...issue.path, key], 'there is no such field'))
        : [problem(issue.path, issue.message)],
    ),
  );
}

function invalid(name: string, evidence: string[]): BenchmarkError {
  return new BenchmarkError('PRESET_INVALID', { name, count: String(evidence.length) }, { evidence });
}

function rangeOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) {
    return undefined;
  }
  const start: unknown = node.range[0];
  return typeof start === 'number' ? start : undefined;
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text;
}

/** The built-in presets, by id, in the order of their file names. */
export async function builtInPresets(directory: string): Promise<Preset[]> {
  const names = (await readdir(directory)).filter((name) => extname(name) === '.yaml').sort();
  return Promise.all(
    names.map(async (name) => parsePreset(await readFile(join(directory, name), 'utf8'), name)),
  );
}

/** A built-in preset by its id, or the preset in a file. Rejects with PRESET_UNKNOWN or PRESET_INVALID. */
export async function findPreset(idOrFile: string, directory: string): Promise<Preset> {
  const presets = await builtInPresets(directory);
  const builtIn = presets.find(({ id }) => id === idOrFile);
  if (builtIn !== undefined) return builtIn;
  let text: string;
  try {
    text = await readFile(idOrFile, 'utf8');
  } catch (cause) {
    throw new BenchmarkError(
      'PRESET_UNKNOWN',
      { name: idOrFile, known: presets.map(({ id }) => id).join(', ') },
      { cause },
    );
  }
  return parsePreset(text, basename(idOrFile));
}
