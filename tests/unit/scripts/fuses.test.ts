import { describe, expect, it } from 'vitest';
import { FUSES } from '../../../scripts/build/fuses.mjs';

describe('the fuses of the package', () => {
  it('let nobody put code into the app', () => {
    expect(FUSES).toMatchObject({
      enableNodeOptionsEnvironmentVariable: { value: false },
      enableNodeCliInspectArguments: { value: false },
      enableEmbeddedAsarIntegrityValidation: { value: true },
      onlyLoadAppFromAsar: { value: true },
      grantFileProtocolExtraPrivileges: { value: false },
    });
  });
});
