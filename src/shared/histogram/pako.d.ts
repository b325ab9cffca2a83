/** pako 1 has no types. */
declare module 'pako' {
  interface Inflate {
    err: number;
    push(data: Uint8Array, last: boolean): boolean;
    onData: (chunk: Uint8Array) => void;
    onEnd: (status: number) => void;
  }
  const pako: { Inflate: new (options?: { chunkSize?: number }) => Inflate };
  export default pako;
}
