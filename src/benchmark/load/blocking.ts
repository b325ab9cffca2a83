import { builtinModules } from 'node:module';
import process from 'node:process';

/** Whether this Node has blocking sockets and WASI, for a thread per connection. */
export const CAN_BLOCK = process.platform !== 'win32' && builtinModules.includes('wasi');
