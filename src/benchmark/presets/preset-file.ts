import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { BenchmarkError, type ErrorData, toErrorData } from '../../shared/errors.ts';
import { fieldProblems, fieldProblemText } from '../../shared/field-problems.ts';
import { msg, type Message, type Said } from '../../shared/message.ts';
import { presetSchema, type Preset } from '../../shared/model/preset.ts';
import { readYaml, startOf, yamlValue } from '../../shared/preset/preset-yaml.ts';
import { isMissing, writingAt } from '../files/failures.ts';
import { readEach } from '../reading/reader.ts';
import { ownAt } from '../compose/found-file.ts';

const MOST_TOLD = 50;

/** Throws PRESET_INVALID with the first problems as evidence. */
export function parsePreset(text: string, name: string): Preset {
  const { document, lines, problems } = readYaml(text);
  if (problems.length > 0) {
    const told = problems.map(({ line, problem }) => atLine(line, problem));
    throw invalid(name, told);
  }
  const lineOf = (path: readonly PropertyKey[]): number | undefined => {
    // A missing key is reported at the deepest node above it.
    for (let depth = path.length; depth > 0; depth--) {
      const offset = startOf(document.getIn(path.slice(0, depth), true));
      if (offset !== undefined) return lines.linePos(offset).line;
    }
    return undefined;
  };
  const value = yamlValue(document);
  if (!value.ok) throw invalid(name, [fieldProblemText({ path: [], problem: value.problem }, 'preset')]);
  return checkPreset(value.value, name, lineOf);
}

export type ParsedPreset = { id: string } & (
  { preset: Preset; error: null } | { preset: null; error: ErrorData }
);

export interface PresetFile {
  fileName: string;
  text: string;
}

/** A process with limits parses the files. */
export function parsePresets(files: readonly PresetFile[]): Promise<ParsedPreset[]> {
  return readEach('presets', presetsHere, files, ({ fileName }, reason) => ({
    id: basename(fileName, extname(fileName)),
    preset: null,
    error: invalid(fileName, [reason]).toData(),
  }));
}

/** Rejects like `parsePreset`. */
export async function readPreset(text: string, fileName: string): Promise<Preset> {
  const [parsed] = await parsePresets([{ text, fileName }]);
  if (parsed?.preset) return parsed.preset;
  throw parsed === undefined ? invalid(fileName, []) : BenchmarkError.fromData(parsed.error);
}

export function presetsHere(files: readonly PresetFile[]): ParsedPreset[] {
  return files.map(({ text, fileName }) => {
    const id = presetId(text, fileName);
    try {
      return { id, preset: parsePreset(text, extname(fileName) === '' ? id : fileName), error: null };
    } catch (error) {
      return { id, preset: null, error: toErrorData(error) };
    }
  });
}

export function checkPreset(
  value: unknown,
  name: string,
  lineOf: (path: readonly PropertyKey[]) => number | undefined = () => undefined,
): Preset {
  const parsed = presetSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = fieldProblems(parsed.error, value);
  const shown = problems.slice(0, MOST_TOLD).map((one) => {
    const line = lineOf(one.path);
    const text = fieldProblemText(one, 'preset');
    return line === undefined ? text : atLine(line, text);
  });
  throw invalid(name, shown, problems.length);
}

function atLine(line: number, problem: Said): Message {
  return msg('preset.line', { line, problem });
}

function invalid(name: string, problems: Message[], count = problems.length): BenchmarkError {
  const evidence = problems.slice(0, MOST_TOLD);
  return new BenchmarkError('PRESET_INVALID', { name, count: String(count) }, { evidence });
}

/**
 * Presets by name; empty: no such folder. An unreadable file counts as empty; rejects with
 * DATA_FOLDER_UNREADABLE.
 */
export async function presetFiles(directory: string): Promise<PresetFile[]> {
  const found = await writingAt(directory, 'DATA_FOLDER_UNREADABLE', () =>
    readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    }),
  );
  const names = found.filter((file) => !file.isDirectory()).map(({ name }) => name);
  const presets = names.filter((name) => extname(name) === '.yaml' && !name.startsWith('.'));
  return Promise.all(
    presets.sort().map(async (fileName) => {
      const found = await ownAt(join(directory, fileName));
      return { fileName, text: found.kind === 'text' ? found.text : '' };
    }),
  );
}

/** Files that a shell passes: `<(…)`, or a pipe. */
const HANDED_OVER = /^\/dev\/(?:stdin$|fd\/)/;

/** Rejects with PRESET_UNKNOWN, or with PRESET_INVALID if it isn't a text file. */
export async function readPresetFile(path: string, known: string[]): Promise<string> {
  if (HANDED_OVER.test(path)) return readFile(path, 'utf8');
  const found = await ownAt(path);
  if (found.kind === 'text') return found.text;
  if (found.kind === 'unread' && !found.isMissing) throw invalid(path, [found.reason]);
  throw new BenchmarkError('PRESET_UNKNOWN', { name: path, known: known.join(', ') });
}

export function presetId(text: string, fileName: string): string {
  let id: unknown;
  try {
    id = readYaml(text).document.get('id');
  } catch {}
  return typeof id === 'string' && id !== '' ? id : basename(fileName, extname(fileName));
}
