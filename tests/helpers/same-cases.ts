import fc from 'fast-check';
import { IS_FULL } from './tier.ts';

/** In the gate, properties draw the same cases, so a failure is caused by the change. The full run draws new ones. */
if (!IS_FULL) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_122 });
