import * as z from 'zod';
import { msg, type Said } from '../../../shared/message.ts';
import type { Progress } from '../specs.ts';

export const progressLineSchema = z.looseObject({
  id: z.string().optional(),
  status: z.string().optional(),
  stream: z.string().optional(),
  error: z.string().optional(),
  errorDetail: z.looseObject({ message: z.string().optional() }).optional(),
  progressDetail: z.looseObject({ current: z.number().optional(), total: z.number().optional() }).nullish(),
});
export type ProgressLine = z.infer<typeof progressLineSchema>;

const DOWNLOAD_SHARE = 0.7;

interface Layer {
  bytes: number | undefined;
  fetched: number;
  done: number;
}

export class PullProgress {
  readonly #layers = new Map<string, Layer>();
  #reached = 0;

  read(line: ProgressLine): Progress | undefined {
    const { id, status } = line;
    if (status === undefined) return undefined;
    if (id === undefined || !this.#update(id, status, line)) {
      return this.#layers.size === 0 ? { fraction: null, detail: status } : undefined;
    }
    return { fraction: this.#fraction(), detail: this.#detail() };
  }

  #update(id: string, status: string, { progressDetail }: ProgressLine): boolean {
    const layer = this.#layers.get(id) ?? { bytes: undefined, fetched: 0, done: 0 };
    const { current, total } = progressDetail ?? {};
    switch (status) {
      case 'Pulling fs layer':
      case 'Waiting':
        break;
      case 'Downloading':
        if (total !== undefined && total > 0) layer.bytes = total;
        layer.fetched = current ?? layer.fetched;
        if (layer.bytes !== undefined) layer.done = (DOWNLOAD_SHARE * layer.fetched) / layer.bytes;
        break;
      case 'Verifying Checksum':
      case 'Download complete':
        layer.fetched = layer.bytes ?? layer.fetched;
        layer.done = Math.max(layer.done, DOWNLOAD_SHARE);
        break;
      case 'Extracting':
        if (current !== undefined && total !== undefined && total > 0) {
          layer.done = DOWNLOAD_SHARE + ((1 - DOWNLOAD_SHARE) * current) / total;
        }
        break;
      case 'Pull complete':
      case 'Already exists':
        layer.done = 1;
        break;
      default:
        return false;
    }
    this.#layers.set(id, layer);
    return true;
  }

  #fraction(): number | null {
    const layers = [...this.#layers.values()];
    const known = layers.flatMap(({ bytes }) => bytes ?? []);
    if (known.length === 0 && layers.every(({ done }) => done === 0)) return null;
    const average = known.length === 0 ? 1 : known.reduce((sum, bytes) => sum + bytes, 0) / known.length;
    let weight = 0;
    let done = 0;
    for (const layer of layers) {
      weight += layer.bytes ?? average;
      done += (layer.bytes ?? average) * Math.min(1, layer.done);
    }
    this.#reached = Math.max(this.#reached, weight === 0 ? 0 : done / weight);
    return this.#reached;
  }

  #detail(): Said {
    const layers = [...this.#layers.values()];
    const finished = layers.filter(({ done }) => done >= 1).length;
    const fetched = layers.reduce((sum, layer) => sum + layer.fetched, 0);
    const total = layers.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
    const counted = { finished, layers: layers.length };
    if (total === 0) return msg('image.layers', counted);
    return msg('image.layersBytes', { ...counted, fetched: inMegabytes(fetched), total: inMegabytes(total) });
  }
}

function inMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}

export class BuildProgress {
  #fraction: number | null = null;
  #detail: Said = '';
  readonly tail: string[] = [];

  read(line: ProgressLine): Progress | undefined {
    const text = (line.stream ?? line.status ?? line.error ?? '').trimEnd();
    if (text === '') return undefined;
    this.tail.push(...text.split(/\r?\n/));
    this.tail.splice(0, Math.max(0, this.tail.length - 40));
    const [, step, steps, command] = /^Step (\d+)\/(\d+) : (.*)/.exec(text) ?? [];
    if (step !== undefined && steps !== undefined && command !== undefined) {
      this.#fraction = (Number(step) - 1) / Number(steps);
      this.#detail = msg('image.step', { step, steps, command });
    } else if (line.status !== undefined) {
      this.#detail = text;
    } else {
      return undefined;
    }
    return { fraction: this.#fraction, detail: this.#detail };
  }
}
