declare module '*.css';

/** The build turns docs/method.md and its translations into HTML (scripts/build/method.mjs). */
declare module '*/docs/method.md' {
  const html: string;
  export default html;
}
declare module '*/docs/method.zh-CN.md' {
  const html: string;
  export default html;
}
