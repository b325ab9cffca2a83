import { interpolated } from './interpolate.ts';

const FROM = /^FROM\s+(?:--platform=\S+\s+)?(\S+)(?:\s+AS\s+(\S+))?\s*$/i;
const ARG = /^ARG\s+([A-Za-z_]\w*)(?:=(?:"([^"]*)"|'([^']*)'|(\S*)))?\s*$/i;
const MOST_STAGES = 100;

/** The image that a stage begins with, at its root; undefined: it can't be read from the text. */
export function baseImage(
  text: string,
  target: string | undefined,
  args: (name: string) => string | undefined,
): string | undefined {
  const defaults = new Map<string, string>();
  const stages: { image: string; name: string | undefined }[] = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    const [, arg, quoted, single, plain] = ARG.exec(line.trim()) ?? [];
    if (arg !== undefined && stages.length === 0) {
      const value = args(arg) ?? quoted ?? single ?? plain;
      if (value !== undefined) defaults.set(arg, value);
    }
    const [, written, name] = FROM.exec(line.trim()) ?? [];
    if (written === undefined || stages.length >= MOST_STAGES) continue;
    const image = interpolated(written, (variable) => defaults.get(variable)).text;
    stages.push({ image, name: name?.toLowerCase() });
  }
  const wanted = target?.toLowerCase();
  let stage = wanted === undefined ? stages.at(-1) : stages.find(({ name }) => name === wanted);
  for (let steps = 0; stage !== undefined && steps < MOST_STAGES; steps += 1) {
    const { image } = stage;
    const base = stages.find(({ name }) => name === image.toLowerCase());
    if (base === undefined) return image;
    stage = base;
  }
  return undefined;
}
