import type { Band } from './chart-options.ts';

export type Zoom = Band | undefined;

const LEAST_SECONDS = 2;
const STEP = 0.5;

export const ZOOM_STEPS = ['in', 'out', 'left', 'right', 'reset'] as const;
export type ZoomStep = (typeof ZOOM_STEPS)[number];

export function stretch(one: number, other: number, end: number): Zoom {
  const width = Math.max(Math.abs(other - one), LEAST_SECONDS);
  if (width >= end) return undefined;
  const middle = (one + other) / 2;
  const from = Math.min(Math.max(0, middle - width / 2), end - width);
  return { from, to: from + width };
}

export function zoomed(zoom: Zoom, step: ZoomStep, end: number): Zoom {
  const { from, to } = zoom ?? { from: 0, to: end };
  const width = to - from;
  const by = width * STEP;
  switch (step) {
    case 'in':
      return stretch(from + width / 4, to - width / 4, end);
    case 'out':
      return stretch(from - width / 2, to + width / 2, end);
    case 'left':
      return zoom === undefined
        ? undefined
        : stretch(from - Math.min(by, from), to - Math.min(by, from), end);
    case 'right': {
      const shift = Math.min(by, end - to);
      return zoom === undefined ? undefined : stretch(from + shift, to + shift, end);
    }
    case 'reset':
      return undefined;
  }
}

export function canZoom(zoom: Zoom, step: ZoomStep, end: number): boolean {
  const after = zoomed(zoom, step, end);
  return after?.from !== zoom?.from || after?.to !== zoom?.to;
}

export function stepOfKey(key: string): ZoomStep | undefined {
  switch (key) {
    case '+':
    case '=':
      return 'in';
    case '-':
      return 'out';
    case 'ArrowLeft':
      return 'left';
    case 'ArrowRight':
      return 'right';
    case '0':
    case 'Escape':
      return 'reset';
    default:
      return undefined;
  }
}
