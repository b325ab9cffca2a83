import type { RecommendationCode } from '../model/analysis.ts';

/** Where the setting is documented; each address is in contract/external-links.json, so that the app can open it. */
export const ADVICE_LINKS: Partial<Record<RecommendationCode, string>> = {
  'use-virtiofs': 'https://docs.docker.com/desktop/settings-and-maintenance/settings/',
  'use-native-image': 'https://docs.docker.com/build/building/multi-platform/',
};
