/** The part of pako 1 in use; it has no types. */
declare module 'pako' {
  interface Inflate {
    /** Nonzero if the input is no zlib stream. */
    err: number;
    /** False if the stream is broken. */
    push(data: Uint8Array, last: boolean): boolean;
    /** `push` rethrows its errors. */
    onData: (chunk: Uint8Array) => void;
    onEnd: (status: number) => void;
  }
  const pako: { Inflate: new (options?: { chunkSize?: number }) => Inflate };
  export default pako;
}
