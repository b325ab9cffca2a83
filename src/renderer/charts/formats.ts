import { formatLatency, formatRate } from '../format.ts';
import type { Metric } from './series.ts';

export const FORMATS: Record<Metric, (value: number) => string> = {
  tps: formatRate,
  p95: (ms) => (ms === 0 ? '0' : formatLatency(ms * 1000)),
};
