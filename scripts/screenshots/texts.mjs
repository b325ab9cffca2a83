export const FOLDER = 'docs/screenshots';
export const LIST = `${FOLDER}/texts.json`;
/** Limit of the moving picture. */
export const MOST_BYTES = 1_500_000;

/** @typedef {(path: string) => string} Read */

/** @param {Read} read @returns {string[]} */
export const appTexts = (read) =>
  ['ui', 'messages', 'report', 'errors'].flatMap((name) =>
    leavesOf(JSON.parse(read(`src/shared/locales/en/${name}.json`))),
  );

/** @param {unknown} node @returns {string[]} */
const leavesOf = (node) =>
  typeof node === 'string' ? [node] : Object.values(/** @type {object} */ (node)).flatMap(leavesOf);

/**
 * Placeholders match anything, so texts with fewer than eight other letters would match everywhere.
 *
 * @param {readonly string[]} lines
 * @param {readonly string[]} texts
 * @returns {string[]}
 */
export function shownTexts(lines, texts) {
  const all = [...new Set(lines)];
  return [...new Set(texts)]
    .filter((text) => {
      const parts = text.split(/\{\{[^}]*\}\}/);
      if (parts.length > 1 && parts.join('').replace(/\P{L}/gu, '').length < 8) return false;
      const pattern = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+');
      const isText = new RegExp(`^${pattern}$`);
      return all.some((line) => isText.test(line));
    })
    .sort();
}

/**
 * @param {string} picture file name
 * @param {Read} read
 * @returns {string[] | undefined} undefined: an unlisted picture
 */
export function outdatedTexts(picture, read) {
  /** @type {Record<string, string[]>} */
  const list = JSON.parse(read(LIST));
  const today = new Set(appTexts(read));
  return list[picture]?.filter((text) => !today.has(text));
}
