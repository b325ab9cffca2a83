import { builtinModules } from 'node:module';
import process from 'node:process';

/** A thread per connection needs blocking sockets and WASI. */
export const CAN_BLOCK = process.platform !== 'win32' && builtinModules.includes('wasi');
