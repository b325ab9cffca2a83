/**
 * The page's policy while Vite serves it: two addresses wider than the product's. Vite puts styles into the page itself,
 * marked with a nonce, and tells through one socket what has changed.
 *
 * @param {string} policy the product's, or a page with it
 * @param {{ nonce: string, port: number }} vite
 */
export function developmentPolicy(policy, { nonce, port }) {
  return policy
    .replace("style-src 'self'", `$& 'nonce-${nonce}'`)
    .replace("connect-src 'none'", `connect-src ws://127.0.0.1:${port}`);
}
