/**
 * Electron's fuses in the package; packaging/after-pack.mjs flips them.
 *
 * @typedef {{ value: boolean, why: string }} Fuse
 */

/** @type {Record<string, Fuse>} */
export const FUSES = {
  runAsNode: {
    value: true,
    why:
      'A native server runs under a small supervisor, which is this program as Node (src/benchmark/servers/native/native-supervisor.ts): ' +
      'it has to outlive the app for a moment to end the server, which no utility process does. Only programs of this user could misuse it.',
  },
  enableCookieEncryption: {
    value: false,
    why: 'The app has no cookies; the key for them would ask for the keychain at the first start.',
  },
  enableNodeOptionsEnvironmentVariable: {
    value: false,
    why: 'NODE_OPTIONS and NODE_EXTRA_CA_CERTS of another shell must not load code into the app.',
  },
  enableNodeCliInspectArguments: {
    value: false,
    why: '--inspect and SIGUSR1 would open a debugger on the main process.',
  },
  enableEmbeddedAsarIntegrityValidation: {
    value: true,
    why: 'A changed app.asar does not start (macOS and Windows; Electron has it on no other system).',
  },
  onlyLoadAppFromAsar: {
    value: true,
    why: 'No folder next to app.asar is started instead.',
  },
  loadBrowserProcessSpecificV8Snapshot: {
    value: false,
    why: 'The app has no snapshot.',
  },
  grantFileProtocolExtraPrivileges: {
    value: false,
    why: 'The page comes from app://whalemark; nothing is loaded from file://.',
  },
  wasmTrapHandlers: {
    value: true,
    why: 'WebAssembly, which draws the share picture and sends statements, finds accesses out of bounds by the processor’s faults, as in Chrome.',
  },
};
