import { copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isScalar, parseDocument, stringify, type Document } from 'yaml';
import { msg } from '../../shared/message.ts';
import { PRIVATE_FOLDER } from '../files/data-dir.ts';
import { BenchmarkError, messageOf } from '../../shared/errors.ts';
import { failureAt } from '../files/failures.ts';
import type { Preset, ResolvedPreset } from '../../shared/model/preset.ts';
import { slug } from '../../shared/model/preset-parts.ts';
import { replaceFile } from '../files/replace-file.ts';
import {
  type ParsedPreset,
  parsePreset,
  parsePresets,
  type PresetFile,
  presetFiles,
  readPreset,
  readPresetFile,
} from './preset-file.ts';

const SCHEMA = 'preset.schema.json';

export type PresetEntry = PresetFile & { id: string; builtIn: boolean } & (
    { preset: Preset; error: null } | { preset: null; error: BenchmarkError }
  );

export class PresetStore {
  readonly #builtInDir: string;
  readonly #userDir: string;
  readonly #parsed = new Map<string, PresetFile & ParsedPreset>();

  constructor(builtInDir: string, dataDir: string) {
    this.#builtInDir = builtInDir;
    this.#userDir = join(dataDir, 'presets');
  }

  async list(): Promise<PresetEntry[]> {
    const builtIn = (await presetFiles(this.#builtInDir)).map(({ fileName, text }): PresetEntry => {
      const preset = parsePreset(text, fileName);
      return { id: preset.id, builtIn: true, fileName, text, preset, error: null };
    });
    const taken = new Map<string, 'PRESET_BUILT_IN' | 'PRESET_EXISTS'>(
      builtIn.map(({ id }) => [id, 'PRESET_BUILT_IN']),
    );
    const own = (await this.#own()).map(({ fileName, text, id, preset, error }): PresetEntry => {
      const common = { builtIn: false, fileName, text };
      if (preset === null) return { ...common, id, preset, error: BenchmarkError.fromData(error) };
      const clash = taken.get(preset.id);
      taken.set(preset.id, clash ?? 'PRESET_EXISTS');
      if (clash === undefined) return { ...common, id: preset.id, preset, error };
      const problem = new BenchmarkError(clash, { id: preset.id });
      return { ...common, id: basename(fileName, '.yaml'), preset: null, error: problem };
    });
    return [...builtIn, ...own];
  }

  async find(id: string): Promise<Preset> {
    return (await this.#named(id)) ?? presetOf(await this.#entry(id));
  }

  async open(idOrFile: string): Promise<Preset> {
    const named = await this.#named(idOrFile);
    if (named !== undefined) return named;
    const entries = await this.list();
    const found = entries.find(({ id }) => id === idOrFile);
    if (found !== undefined) return presetOf(found);
    const known = entries.map(({ id }) => id);
    return readPreset(await readPresetFile(idOrFile, known), basename(idOrFile));
  }

  async text(id: string): Promise<string> {
    return (await this.#entry(id)).text;
  }

  /** The id is in the text. `over`: the edited preset, deleted if its id changed. */
  async save(text: string, over?: string): Promise<Preset> {
    const preset = await readPreset(text, over ?? 'preset');
    const { id } = preset;
    const entries = await this.list();
    if (entries.some((entry) => entry.builtIn && entry.id === id)) {
      throw new BenchmarkError('PRESET_BUILT_IN', { id });
    }
    const own = entries.filter(({ builtIn }) => !builtIn);
    const edited = over === undefined ? undefined : own.find((entry) => entry.id === over);
    const fresh = `${id}.yaml`;
    const taken = own.find((entry) => entry.id === id || entry.fileName.toLowerCase() === fresh);
    if (taken !== undefined && taken !== edited) throw new BenchmarkError('PRESET_EXISTS', { id });
    await this.#write(id, taken?.fileName ?? fresh, text);
    if (edited !== undefined && edited !== taken) await rm(join(this.#userDir, edited.fileName));
    return preset;
  }

  async importFile(path: string): Promise<Preset> {
    const known = (await this.list()).map(({ id }) => id);
    return this.save(await readPresetFile(path, known));
  }

  async duplicate(id: string, newId: string, name?: string): Promise<Preset> {
    const text = await this.text(id);
    const original = await this.find(id);
    const renamed = withScalar(text, 'id', newId);
    return this.save(withScalar(renamed, 'name', name ?? `${original.name} (${newId})`));
  }

  async remove(id: string): Promise<void> {
    const entries = await this.list();
    const own = entries.find((entry) => entry.id === id && !entry.builtIn);
    if (own !== undefined) return rm(join(this.#userDir, own.fileName));
    if (entries.some((entry) => entry.id === id)) throw new BenchmarkError('PRESET_BUILT_IN', { id });
    throw unknown(id, entries);
  }

  async #named(id: string): Promise<Preset | undefined> {
    if (!slug.safeParse(id).success) return undefined;
    const fileName = `${id}.yaml`;
    const text = (directory: string): Promise<string | undefined> =>
      readFile(join(directory, fileName), 'utf8').catch(() => undefined);
    const builtIn = await text(this.#builtInDir);
    if (builtIn !== undefined) return parsePreset(builtIn, fileName);
    const own = await text(this.#userDir);
    const preset = own === undefined ? undefined : await readPreset(own, fileName);
    return preset?.id === id ? preset : undefined;
  }

  async #own(): Promise<(PresetFile & ParsedPreset)[]> {
    const files = await presetFiles(this.#userDir);
    const isKnown = ({ fileName, text }: PresetFile): boolean => this.#parsed.get(fileName)?.text === text;
    const fresh = files.filter((file) => !isKnown(file));
    const parsed = await parsePresets(fresh);
    fresh.forEach((file, index) => {
      const one = parsed[index];
      if (one !== undefined) this.#parsed.set(file.fileName, { ...one, ...file });
    });
    return files.flatMap(({ fileName }) => this.#parsed.get(fileName) ?? []);
  }

  async #entry(id: string): Promise<PresetEntry> {
    const entries = await this.list();
    const found = entries.find((entry) => entry.id === id);
    if (found === undefined) throw unknown(id, entries);
    return found;
  }

  async #write(id: string, fileName: string, text: string): Promise<void> {
    const path = join(this.#userDir, fileName);
    try {
      await mkdir(this.#userDir, PRIVATE_FOLDER);
      await replaceFile(path, text);
    } catch (cause) {
      const failure = failureAt(path, 'DATA_FOLDER_UNWRITABLE', cause);
      const reason = failure instanceof BenchmarkError ? (failure.params['reason'] ?? '') : messageOf(cause);
      throw new BenchmarkError('PRESET_NOT_SAVED', { id, reason }, { cause });
    }
    await copyFile(join(this.#builtInDir, SCHEMA), join(this.#userDir, SCHEMA)).catch(() => undefined);
  }
}

function presetOf({ preset, error }: PresetEntry): Preset {
  if (preset === null) throw error;
  return preset;
}

function unknown(id: string, entries: PresetEntry[]): BenchmarkError {
  return new BenchmarkError('PRESET_UNKNOWN', {
    name: id,
    known: entries.map((entry) => entry.id).join(', '),
  });
}

/** Every other byte stays if the field is plain. */
function withScalar(text: string, key: string, value: string): string {
  const document: Document = parseDocument(text);
  const node: unknown = document.get(key, true);
  const range = isScalar(node) ? node.range : undefined;
  if (range === undefined || range === null) {
    document.set(key, value);
    return document.toString({ lineWidth: 0 });
  }
  const written = stringify(value, { lineWidth: 0 }).trimEnd();
  return text.slice(0, range[0]) + written + text.slice(range[1]);
}

/** Names below `.invalid` never exist (RFC 6761). */
const PLACEHOLDER = /\.invalid$/i;

/** Throws PRESET_INCOMPLETE without the user's NFS server. */
export function requireAnswers({ preset, scenarios }: ResolvedPreset): void {
  const unanswered = scenarios.find(({ storage }) => PLACEHOLDER.test(storage.nfs?.address ?? ''));
  if (unanswered === undefined) return;
  const place = `storages.${unanswered.storageId}.nfs`;
  throw new BenchmarkError(
    'PRESET_INCOMPLETE',
    {
      name: preset.id,
      what: msg('preset.nfsAnswer'),
      fields: `${place}.address, ${place}.path`,
      options: `--set ${place}.address=192.168.1.20 --set ${place}.path=/export/mysql`,
    },
    {
      evidence: [
        msg('field.problem', { field: `${place}.address`, problem: msg('preset.nfsServer') }),
        msg('field.problem', { field: `${place}.path`, problem: msg('preset.nfsPath') }),
      ],
    },
  );
}
