declare module '*.css';

/** The build turns docs/explanation/method.md and its translations into HTML (scripts/build/method.mjs). */
declare module '*/docs/explanation/method.md' {
  const html: string;
  export default html;
}
declare module '*/docs/explanation/method.zh-CN.md' {
  const html: string;
  export default html;
}
