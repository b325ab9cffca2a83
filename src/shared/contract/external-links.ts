import links from './external-links.json' with { type: 'json' };

/**
 * The addresses that the app may hand to the system's browser, letter by letter: the sources that the method page
 * names. The build makes links of these and of no others (scripts/build/method.mjs reads the same file). What a result,
 * a preset or a server says is never one of them, so no stranger's text can open anything.
 */
export const EXTERNAL_LINKS: readonly string[] = links;

/** True for an address of the list, and for nothing that only looks like one. */
export function isExternalLink(address: string): boolean {
  return EXTERNAL_LINKS.includes(address);
}
