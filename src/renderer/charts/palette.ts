import type { Scenario } from '../../shared/model/plan.ts';
import type { PathKind, StorageKind } from '../../shared/model/names.ts';

export type Theme = 'light' | 'dark';

/** How one scenario is drawn everywhere. */
export interface LineStyle {
  color: string;
  dash: number[];
}

/**
 * The hue says the storage, dash and shade say the path. Hues after Okabe and Ito, which people with colour-blindness
 * tell apart (https://jfly.uni-koeln.de/color/), darkened or lightened to at least 3:1 on the cards.
 */
const HUES: Record<Theme, Record<StorageKind, readonly [string, string, string]>> = {
  light: {
    'named-volume': ['#0072b2', '#00395a', '#3a93cc'],
    'bind-mount': ['#c65300', '#6f2f00', '#dd7a2b'],
    'image-layer': ['#00855f', '#00452f', '#269c76'],
    tmpfs: ['#8e4585', '#4b1f46', '#b76fad'],
  },
  dark: {
    'named-volume': ['#56b4e9', '#b5def7', '#3489c4'],
    'bind-mount': ['#f08a3c', '#ffcaa0', '#c96a20'],
    'image-layer': ['#2fc593', '#9be8cd', '#1c9870'],
    tmpfs: ['#d68fcf', '#f1c9ed', '#a9609f'],
  },
};
const NOISE_FLOOR: Record<Theme, string> = { light: '#5d6f77', dark: '#9fb1b8' };

const PATH_ORDER: Record<PathKind, 0 | 1 | 2> = { 'published-port': 0, 'user-bridge': 1, 'host-network': 2 };
const DASHES: readonly [number[], number[], number[]] = [[], [8, 4], [2, 3]];

export function lineStyle(
  scenario: Pick<Scenario, 'storage' | 'path' | 'isNoiseFloor'>,
  theme: Theme,
): LineStyle {
  if (scenario.isNoiseFloor) return { color: NOISE_FLOOR[theme], dash: [1, 4] };
  const order = PATH_ORDER[scenario.path];
  return { color: HUES[theme][scenario.storage.kind][order], dash: DASHES[order] };
}
