/** The build turns docs/method.md into HTML (scripts/build/method.mjs). */
declare module '*/docs/method.md' {
  const html: string;
  export default html;
}
