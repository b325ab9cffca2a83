/* Main and core run in the window's tests, too: what they read is made of Node's bytes, not of those of jsdom's window. */
globalThis.Uint8Array = Object.getPrototypeOf(Buffer) as Uint8ArrayConstructor;
