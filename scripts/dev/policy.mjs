/**
 * Vite puts styles with a nonce into the page, and reports changes over a socket.
 *
 * @param {string} policy the product's, or a page with it
 * @param {{ nonce: string, port: number }} vite
 */
export function developmentPolicy(policy, { nonce, port }) {
  return policy
    .replace("style-src 'self'", `$& 'nonce-${nonce}'`)
    .replace("connect-src 'none'", `connect-src ws://127.0.0.1:${port}`);
}
