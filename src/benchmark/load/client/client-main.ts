import { startClient } from './client-program.ts';

startClient();
