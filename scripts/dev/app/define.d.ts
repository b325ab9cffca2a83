/** Where Vite serves the page from, and the mark of its styles. Defined by the bundler (scripts/dev/bundles.mjs). */
declare const __DEV_SERVER__: { port: number; nonce: string };
