import { startClient } from './client-program.ts';

/** The load client in one file, on the host and in containers. */
startClient();
