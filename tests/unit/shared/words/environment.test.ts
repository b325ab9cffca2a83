import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../../src/shared/model/settings.ts';
import type { Passport } from '../../../../src/shared/model/passport.ts';
import { environmentText } from '../../../../src/shared/words/environment-wording.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { makePassport } from '../../plan-builder.ts';

function passport(runtime: Partial<Passport['runtime']>, platform: Passport['host']['platform'] = 'linux') {
  const made = makePassport(runtime);
  return { ...made, host: { ...made.host, platform } };
}
const DESKTOP = { name: 'Docker Desktop 4.67.0', vm: true } as const;

describe.each(LANGUAGES)('the sentence about the environment, in %s', (language) => {
  const t = createTranslator(language);
  const text = (of: Passport): string => environmentText(of, t);

  it('names what shares folders with a VM, by its product’s name if there is one', () => {
    expect(text(passport({ ...DESKTOP, fileSharing: 'virtiofs' }, 'darwin'))).toContain('VirtioFS');
    expect(text(passport({ ...DESKTOP, fileSharing: 'grpcfuse' }, 'darwin'))).toContain('gRPC FUSE');
    expect(text(passport({ ...DESKTOP, fileSharing: 'osxfs' }, 'darwin'))).toContain('osxfs');
  });

  it('differs without a VM, with an unknown way to share, and for another machine', () => {
    const texts = [
      passport({}),
      passport({ ...DESKTOP, fileSharing: 'virtiofs' }),
      passport({ ...DESKTOP, fileSharing: 'unknown' }),
      passport({ remote: true, vm: true, fileSharing: 'unknown' }),
    ].map((one) => text(one).replace(one.runtime.name, ''));
    expect(new Set(texts).size).toBe(4);
    expect(texts.join(' ')).not.toMatch(/unknown|\{\{/);
  });
});
