declare module '*.css';

/** HTML by error code. */
declare module '*/docs/reference/errors/README.md' {
  const help: Record<string, string>;
  export default help;
}

/** HTML by scripts/build/method.mjs, also of translations. */
declare module '*/docs/explanation/method.md' {
  const html: string;
  export default html;
}
declare module '*/docs/explanation/method.zh-CN.md' {
  const html: string;
  export default html;
}
