import { baseOf } from './file-names.ts';

const FROM = /^FROM\s+(?:--platform=\S+\s+)?(\S+)(?:\s+AS\s+(\S+))?\s*$/i;
const ARG = /^ARG\s+([A-Za-z_]\w*)(?:=(?:"([^"]*)"|'([^']*)'|(\S*)))?\s*$/i;
const COPY = /^(?:COPY|ADD)\s+((?:--(?!from=)\S+\s+)*)([^-\s].*)$/i;
const MOST_STAGES = 100;

interface Stage {
  image: string;
  name: string | undefined;
  copied: { source: string; target: string }[];
}

export interface BaseImage {
  image: string;
  copied: Stage['copied'];
}

/** Undefined: it can't be read from the text. */
export function baseImage(
  text: string,
  target: string | undefined,
  args: (name: string) => string | undefined,
): BaseImage | undefined {
  const defaults = new Map<string, string>();
  const stages: Stage[] = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    const [, arg, quoted, single, plain] = ARG.exec(line.trim()) ?? [];
    if (arg !== undefined && stages.length === 0) {
      const value = args(arg) ?? quoted ?? single ?? plain;
      if (value !== undefined) defaults.set(arg, value);
    }
    stages.at(-1)?.copied.push(...copiedBy(line.trim()));
    const [, written, name] = FROM.exec(line.trim()) ?? [];
    if (written === undefined || stages.length >= MOST_STAGES) continue;
    const image = withArguments(written, defaults);
    stages.push({ image, name: name?.toLowerCase(), copied: [] });
  }
  const wanted = target?.toLowerCase();
  let stage = wanted === undefined ? stages.at(-1) : stages.find(({ name }) => name === wanted);
  const copied: Stage['copied'] = [];
  for (let steps = 0; stage !== undefined && steps < MOST_STAGES; steps += 1) {
    const { image } = stage;
    copied.unshift(...stage.copied);
    const base = stages.find(({ name }) => name === image.toLowerCase());
    if (base === undefined) return { image, copied };
    stage = base;
  }
  return undefined;
}

/** Dockerfile reference, "ARG": `$NAME`, `${NAME}`, `${NAME:-DEFAULT}`. */
function withArguments(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(
    /\$(?:(\w+)|\{(\w+)(?::-([^}]*))?\})/g,
    (_, plain?: string, name?: string, usual?: string) => {
      const value = values.get(plain ?? name ?? '') ?? '';
      return value === '' ? (usual ?? '') : value;
    },
  );
}

/** Both forms. */
function copiedBy(line: string): Stage['copied'] {
  const [, , words = ''] = COPY.exec(line) ?? [];
  const [target = '', ...sources] = words
    .replace(/^\[|\]$/g, '')
    .split(/[\s,]+/)
    .map((word) => word.replace(/^"|"$/g, ''))
    .filter((word) => word !== '')
    .reverse();
  return sources.reverse().map((source) => ({
    source,
    target: target.endsWith('/') && /\.\w+$/.test(source) ? `${target}${baseOf(source)}` : target,
  }));
}
