/** The bundler (scripts/dev/bundles.mjs) defines it; `nonce` marks the page's styles. */
declare const __DEV_SERVER__: { port: number; nonce: string };
