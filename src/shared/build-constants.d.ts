declare const __APP_VERSION__: string;

/** The text of a program, bundled by the build. */
declare module '*?program' {
  const text: string;
  export default text;
}
