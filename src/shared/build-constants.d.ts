declare const __APP_VERSION__: string;

declare module '*?program' {
  const text: string;
  export default text;
}

/** WebAssembly in base64. */
declare module '*?wasm' {
  const base64: string;
  export default base64;
}
