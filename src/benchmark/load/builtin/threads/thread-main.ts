import { startThread } from './thread.ts';

startThread();
