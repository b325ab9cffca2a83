import type { Bar } from './bars.ts';
import type { RatioAxis } from './dots.ts';

const WIDTH = 22;

/** " ├──●──┤ │ "; the dot is hollow without a verdict. */
export function dotText({ value, low, high, isOpen }: Bar, axis: RatioAxis): string {
  const place = (ratio: number): number => Math.round(((WIDTH - 1) * axis.percent(ratio)) / 100);
  const drawn = Array.from({ length: WIDTH }, () => ' ');
  drawn[place(1)] = '│';
  if (low !== null && high !== null) {
    drawn.fill('─', place(low), place(high));
    drawn[place(low)] = low < axis.least ? '‹' : '├';
    drawn[place(high)] = high > axis.most ? '›' : '┤';
  }
  if (value !== null) drawn[place(value)] = isOpen ? '○' : '●';
  return drawn.join('').trimEnd();
}
