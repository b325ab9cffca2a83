import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PRIVATE_FILE } from '../../benchmark/files/data-dir.ts';
import * as z from 'zod';

/** In device-independent pixels. */
const rectangleSchema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
});
export type Rectangle = z.infer<typeof rectangleSchema>;

/** Where the window was when it was closed. */
const windowStateSchema = z.object({
  /** Of the window when it is not maximised. */
  bounds: rectangleSchema,
  maximised: z.boolean(),
});
export type WindowState = z.infer<typeof windowStateSchema>;

export const MINIMUM_SIZE = { width: 640, height: 480 };
export const FIRST_SIZE = { width: 1240, height: 820 };
/** As much of the title bar as one needs to take hold of a window. */
const GRIP = { width: 100, height: 30 };

/** Size and, if the window was somewhere where it still can be seen, position. */
export type Placement = { width: number; height: number; x?: number; y?: number };

/**
 * Where to open the window. Displays come and go: a window whose title bar would be on none of them is placed by the
 * system, and it is never larger than the work area of the display that it is on, nor smaller than it can be used.
 */
export function placementFor(saved: WindowState | undefined, workAreas: readonly Rectangle[]): Placement {
  const wanted = saved?.bounds;
  const on = wanted === undefined ? undefined : workAreas.find((area) => canBeGripped(wanted, area));
  const area = on ?? workAreas[0];
  const { width, height } = wanted ?? FIRST_SIZE;
  const size = {
    width: Math.max(MINIMUM_SIZE.width, Math.min(width, area?.width ?? width)),
    height: Math.max(MINIMUM_SIZE.height, Math.min(height, area?.height ?? height)),
  };
  return on === undefined || wanted === undefined ? size : { ...size, x: wanted.x, y: wanted.y };
}

function canBeGripped({ x, y, width }: Rectangle, area: Rectangle): boolean {
  const visible = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
  return visible >= GRIP.width && y >= area.y && y + GRIP.height <= area.y + area.height;
}

/** Undefined when there is none, or none that can be read. */
export function readWindowState(path: string): WindowState | undefined {
  try {
    return windowStateSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** Never throws: a window that opens elsewhere next time is no reason to bother anybody. */
export function writeWindowState(path: string, state: WindowState): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(state)}\n`, { mode: PRIVATE_FILE });
  } catch {
    return;
  }
}
