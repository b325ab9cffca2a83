declare const __APP_VERSION__: string;

/** Text of a program, bundled by the build. */
declare module '*?program' {
  const text: string;
  export default text;
}

/** WebAssembly module in base64, compiled by the build. */
declare module '*?wasm' {
  const base64: string;
  export default base64;
}
