import links from './external-links.json' with { type: 'json' };

/**
 * The only addresses the app opens in the browser: the sources on the method page. The build makes links of these
 * alone (scripts/build/method.mjs), so that no text from a result, preset, or server can open anything.
 */
export const EXTERNAL_LINKS: readonly string[] = links;

export function isExternalLink(address: string): boolean {
  return EXTERNAL_LINKS.includes(address);
}
