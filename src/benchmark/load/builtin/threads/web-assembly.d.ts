/** TypeScript has types of WebAssembly only in lib.dom. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  const Module: new (bytes: Uint8Array) => Module;
  class Memory {
    /** Sizes are in pages of 64 KiB. */
    constructor(size: { initial: number; maximum: number; shared: true });
    readonly buffer: SharedArrayBuffer;
  }
  interface Global {
    readonly value: unknown;
  }
  type Exports = Readonly<Record<string, unknown>>;
  class Instance {
    constructor(program: Module, imports: Record<string, object>);
    readonly exports: Exports;
  }
}
