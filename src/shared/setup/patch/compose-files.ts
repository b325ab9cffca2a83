import { isMap, isScalar, isSeq, type Pair, type YAMLMap } from 'yaml';
import { folderOf, shownIn } from '../file-names.ts';
import { textOf } from './text-edits.ts';
import { refused, YamlFile, type ComposeText, type Found } from './yaml-file.ts';

export interface FoundIn extends Found {
  file: YamlFile;
}

/** One service of one or several Compose files, of which the later ones override. */
export class ComposeFiles {
  readonly files: readonly YamlFile[];
  readonly service: string;

  /** Throws a Refusal. */
  constructor(texts: readonly ComposeText[], service: string) {
    const folder = folderOf(texts[0]?.file ?? '');
    this.files = texts.map((text) => new YamlFile(text, shownIn(folder, text.file)));
    this.service = service;
  }

  /** Of the service, by file; later files override. */
  found(field: readonly string[]): FoundIn[] {
    return this.files.flatMap((file) => {
      const found = file.find(['services', this.service, ...field]);
      return found === undefined ? [] : [{ file, ...found }];
    });
  }

  /** Where the service gets a new field: in the first file that has it. */
  home(): { file: YamlFile; map: YAMLMap } {
    return this.serviceIn(this.found([])[0]?.file);
  }

  serviceIn(file: YamlFile | undefined): { file: YamlFile; map: YAMLMap } {
    const found = file?.find(['services', this.service]);
    if (file === undefined || found === undefined) {
      throw refused('noService', { place: this.files[0]?.placeOf(0) ?? '' });
    }
    if (!isMap(found.value)) throw file.refusal('form', found.pair.key);
    file.claim(found);
    return { file, map: found.value };
  }

  /** Throws if the service takes one of these fields from another, where a change of the service doesn't reach it. */
  refuseInherited(fields: readonly (readonly string[])[]): void {
    for (const { file, value, pair } of this.found(['extends'])) {
      const other = isMap(value) ? textOf(value.get('file', true)) : undefined;
      if (other !== undefined) throw file.refusal('extendsFile', pair.key, { name: other });
      const base = isMap(value) ? textOf(value.get('service', true)) : textOf(value);
      for (const field of fields) {
        const found = file.find(['services', base ?? '', ...field]);
        if (found !== undefined) throw file.refusal('extends', found.pair.key, { name: base ?? '' });
      }
    }
  }

  /** Throws unless all of it is in one file, which a diff can change. */
  inOneFile(found: readonly FoundIn[]): YamlFile | undefined {
    const [first, ...others] = found;
    const other = others.find(({ file }) => file !== first?.file);
    if (other !== undefined) throw other.file.refusal('severalFiles', other.pair.key);
    return first?.file;
  }

  /** Services of the files other than this one, with what they are. */
  others(): { file: YamlFile; name: string; map: YAMLMap }[] {
    return this.files.flatMap((file) => {
      const services = file.find(['services'])?.value;
      if (!isMap(services)) return [];
      return services.items.flatMap(({ key, value }: Pair) => {
        const name = isScalar(key) ? String(key.value) : '';
        return isMap(value) && name !== this.service ? [{ file, name, map: value }] : [];
      });
    });
  }
}

/** Each scalar with what it means: of a list, or alone. */
export function words(node: unknown): { node: unknown; text: string }[] {
  if (isSeq(node)) return node.items.flatMap(words);
  if (isMap(node)) return node.items.flatMap(({ key, value }) => [...words(key), ...words(value)]);
  const text = textOf(node);
  return text === undefined ? [] : [{ node, text }];
}
