import { shellWords } from './command.ts';
import { isOptionPlace } from './option-files.ts';
import { normalPath } from './storage.ts';

const MOST_STAGES = 100;

interface Instruction {
  name: string;
  rest: string;
  /** 1-based. */
  line: number;
}

interface Copy {
  /** Paths in the build context; may be patterns. */
  sources: string[];
  target: string;
}

interface Stage {
  image: string;
  name: string | undefined;
  /** The folder of relative targets. */
  folder: string;
  copies: Copy[];
  command?: string[];
  entrypoint?: string[];
  /** Lines that write option files in an unreadable way. */
  unread: number[];
}

export type BuiltImage = Pick<Stage, 'image' | 'copies' | 'command' | 'entrypoint' | 'unread'>;

/** Undefined: the text is unreadable. */
export function builtImage(
  text: string,
  target: string | undefined,
  args: (name: string) => string | undefined,
): BuiltImage | undefined {
  const stages = stagesOf(text, args);
  const wanted = target?.toLowerCase();
  let stage = wanted === undefined ? stages.at(-1) : stages.find(({ name }) => name === wanted);
  let built: Omit<BuiltImage, 'image'> = { copies: [], unread: [] };
  for (let steps = 0; stage !== undefined && steps < MOST_STAGES; steps += 1) {
    const { image, copies, unread, command, entrypoint } = stage;
    // A stage's own entrypoint drops the command of the stage below.
    const inherited = built.entrypoint === undefined ? command : undefined;
    built = {
      copies: [...copies, ...built.copies],
      unread: [...unread, ...built.unread],
      ...given('command', built.command ?? inherited),
      ...given('entrypoint', built.entrypoint ?? entrypoint),
    };
    const base = stages.find(({ name }) => name === image.toLowerCase());
    if (base === undefined || base === stage) return { image, ...built };
    stage = base;
  }
  return undefined;
}

function given<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, V>);
}

function stagesOf(text: string, args: (name: string) => string | undefined): Stage[] {
  const defaults = new Map<string, string>();
  let values = defaults;
  const stages: Stage[] = [];
  for (const { name, rest, line } of instructionsOf(text)) {
    const stage = stages.at(-1);
    if (name === 'FROM') {
      const [image = '', , alias] = rest.split(/\s+/).filter((word) => !word.startsWith('--'));
      if (stages.length >= MOST_STAGES) break;
      values = new Map(defaults);
      const base = { image: withValues(image, defaults), name: alias?.toLowerCase() };
      stages.push({ ...base, folder: '/', copies: [], unread: [] });
    } else if (name === 'ARG') {
      const [key, value] = assigned(rest);
      const known = args(key) ?? (value === undefined ? undefined : withValues(value, values));
      if (known !== undefined) values.set(key, known);
    } else if (name === 'ENV') {
      for (const word of shellWords(rest)) {
        const [key, value] = assigned(word);
        if (value !== undefined) values.set(key, withValues(value, values));
      }
    } else if (stage !== undefined) read(stage, { name, rest, line }, values);
  }
  return stages;
}

function assigned(text: string): [key: string, value: string | undefined] {
  const [key = '', value] = text.split(/=(.*)/s);
  return [key, value === undefined ? undefined : shellWords(value).join(' ')];
}

function read(stage: Stage, { name, rest, line }: Instruction, values: ReadonlyMap<string, string>): void {
  if (name === 'CMD') stage.command = wordsOf(rest);
  else if (name === 'ENTRYPOINT') stage.entrypoint = wordsOf(rest);
  else if (name === 'WORKDIR') stage.folder = absolute(stage.folder, withValues(rest, values));
  else if (name === 'RUN' && PLACE.test(rest) && WRITES.test(rest)) stage.unread.push(line);
  else if (name === 'COPY' || name === 'ADD') {
    const words = wordsOf(rest).map((word) => withValues(word, values));
    const paths = words.filter((word) => !word.startsWith('--'));
    const place = paths.pop() ?? '';
    const target = absolute(stage.folder, place);
    const isElsewhere = words.some((word) => /^--from=|^<<|^https?:/.test(word));
    if (!isElsewhere)
      stage.copies.push({ sources: paths, target: place.endsWith('/') ? `${target}/` : target });
    else if (isOptionPlace(target)) stage.unread.push(line);
  }
}

function absolute(folder: string, path: string): string {
  return normalPath(path.startsWith('/') ? path : `${folder}/${path}`);
}

function wordsOf(rest: string): string[] {
  const words = /^\[.*\]$/s.test(rest) ? rest.slice(1, -1).replaceAll(/"\s*,\s*"/g, '" "') : rest;
  const all = shellWords(words.trim());
  return all[0] === 'exec' ? all.slice(1) : all;
}

const PLACE = /\.cnf\b|\/etc\/(?:my|mysql)\b/;
const WRITES = /(?<![0-9&])>(?!\s*\/dev\/null|&)|\b(?:tee|sed|cp|mv|crudini)\b|<</;

/** Dockerfile reference, "Format" and "Here-documents". */
function instructionsOf(text: string): Instruction[] {
  const lines = text.split(/\r\n|\n|\r/);
  const escape = /^#\s*escape\s*=\s*`/im.test(text) ? '`' : '\\';
  const found: Instruction[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = at + 1;
    let whole = '';
    for (; at < lines.length; at += 1) {
      const part = (lines[at] ?? '').trim();
      const isLeftOut = part.startsWith('#') || (part === '' && whole !== '');
      if (isLeftOut && whole !== '') continue;
      const goesOn = !isLeftOut && part.endsWith(escape);
      whole += isLeftOut ? '' : goesOn ? `${part.slice(0, -1)} ` : part;
      if (!goesOn) break;
    }
    const [, name = '', rest = ''] = /^([A-Za-z]+)\s+(.*)$/s.exec(whole.trim()) ?? [];
    const ends = /^(?:RUN|COPY|ADD)$/i.test(name)
      ? [...rest.matchAll(/<<-?(["']?)([A-Za-z_]\w*)\1/g)].map(([, , end]) => end)
      : [];
    let script = rest;
    for (const end of ends) {
      for (at += 1; at < lines.length && (lines[at] ?? '').trim() !== end; at += 1) {
        if (/^RUN$/i.test(name)) script += `\n${lines[at] ?? ''}`;
      }
    }
    if (name !== '') found.push({ name: name.toUpperCase(), rest: script.trim(), line });
  }
  return found;
}

/** Dockerfile reference, "ARG". */
function withValues(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(
    /\$(?:(\w+)|\{(\w+)(?::-([^}]*))?\})/g,
    (_, plain?: string, name?: string, usual?: string) => {
      const value = values.get(plain ?? name ?? '') ?? '';
      return value === '' ? (usual ?? '') : value;
    },
  );
}
