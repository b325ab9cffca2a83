import fc from 'fast-check';

/** Of properties in the gate: what fails there fails because of the change. The full run draws new cases each time. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_122 });
