/** What we use of pako 1, which brings no types. */
declare module 'pako' {
  interface Inflate {
    /** Not 0 when what was pushed is no zlib stream. */
    err: number;
    /** False when it is broken. `last`: nothing follows. */
    push(data: Uint8Array, last: boolean): boolean;
    /** Called with each chunk; what it throws, `push` throws. */
    onData: (chunk: Uint8Array) => void;
    onEnd: (status: number) => void;
  }
  const pako: { Inflate: new (options?: { chunkSize?: number }) => Inflate };
  export default pako;
}
