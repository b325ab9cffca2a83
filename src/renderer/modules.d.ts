declare module '*.css';

/** HTML by error code, made from the pages in docs/reference/errors. */
declare module '*/docs/reference/errors/README.md' {
  const help: Record<string, string>;
  export default help;
}

/** The build turns docs/explanation/method.md and its translations into HTML (scripts/build/method.mjs). */
declare module '*/docs/explanation/method.md' {
  const html: string;
  export default html;
}
declare module '*/docs/explanation/method.zh-CN.md' {
  const html: string;
  export default html;
}
