// Stands in for the default_app.asar that comes with Electron's own archive and that an application packaged
// with Electron (where the tests' Electron is taken from) doesn't carry. It does what `electron .` needs:
// reads the command line, takes the application's name and version, and loads its main script.
'use strict';
const fs = require('fs');
const Module = require('module');
const path = require('path');
const { app } = require('electron');

/** @param {string[]} argv */
function readCommandLine(argv) {
  const preloads = [];
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i];
    if (argument === '-r' || argument === '--require') preloads.push(argv[++i]);
    else if (argument === '-v' || argument === '--version') answer(`v${process.versions.electron}`);
    else if (argument === '-a' || argument === '--abi') answer(process.versions.modules);
    else if (argument.startsWith('--app=')) return { preloads, file: argument.slice('--app='.length) };
    else if (!argument.startsWith('-')) return { preloads, file: argument };
  }
  return { preloads, file: undefined };
}

function answer(text) {
  console.log(text);
  process.exit(0);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Takes name, version and flags from the application's package.json, as the stock default_app does. */
function adoptManifest(directory) {
  const manifest = path.join(directory, 'package.json');
  if (!fs.existsSync(manifest)) return false;
  const { version, productName, name, desktopName, v8Flags } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
  if (version) app.setVersion(version);
  app.name = productName || name || 'Electron';
  app.setDesktopName(desktopName || `${app.name}.desktop`);
  if (v8Flags) require('v8').setFlagsFromString(v8Flags);
  return true;
}

const { preloads, file } = readCommandLine(process.argv.slice(1));
if (preloads.length > 0) Module._preloadModules(preloads);
if (!file) fail('usage: electron [-r module] [chromium flags] path/to/app');

Object.defineProperty(process, 'defaultApp', { configurable: false, enumerable: true, value: true });
const target = path.resolve(file);
const isPackage = adoptManifest(target);
let entry;
try {
  entry = Module._resolveFilename(target, null, true);
} catch (error) {
  fail(`Unable to find Electron app at ${target}\n${error.message}`);
}
app.setAppPath(isPackage ? target : path.dirname(entry));
try {
  Module._load(target, module, true);
} catch (error) {
  console.error('App threw an error during load');
  console.error((error && error.stack) || error);
  throw error;
}
