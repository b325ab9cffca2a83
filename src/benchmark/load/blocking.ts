import { builtinModules } from 'node:module';
import process from 'node:process';

/** Whether a load client of this Node can have a blocking thread per connection: it takes blocking sockets and WASI. */
export const CAN_BLOCK = process.platform !== 'win32' && builtinModules.includes('wasi');
