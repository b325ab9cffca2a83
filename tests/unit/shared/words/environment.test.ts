import { it } from 'vitest';
import { LANGUAGES } from '../../../../src/shared/model/settings.ts';
import type { Passport } from '../../../../src/shared/model/passport.ts';
import { environmentText } from '../../../../src/shared/words/environment-wording.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { expectSaid } from '../../../helpers/shown.ts';
import { makePassport } from '../../plan-builder.ts';

function passport(runtime: Partial<Passport['runtime']>, platform: Passport['host']['platform'] = 'linux') {
  const made = makePassport(runtime);
  return { ...made, host: { ...made.host, platform } };
}
const DESKTOP = { name: 'Docker Desktop 4.67.0', vm: true } as const;

it('the environment is said in a sentence, with what shares folders with a VM', async () => {
  const environments: Record<string, Passport> = {
    'no VM': passport({}),
    VirtioFS: passport({ ...DESKTOP, fileSharing: 'virtiofs' }, 'darwin'),
    'gRPC FUSE': passport({ ...DESKTOP, fileSharing: 'grpcfuse' }, 'darwin'),
    osxfs: passport({ ...DESKTOP, fileSharing: 'osxfs' }, 'darwin'),
    'an unknown way to share': passport({ ...DESKTOP, fileSharing: 'unknown' }),
    'another machine': passport({ remote: true, vm: true, fileSharing: 'unknown' }),
  };
  const said = (of: Passport): string[] =>
    LANGUAGES.map((language) => environmentText(of, createTranslator(language)));
  await expectSaid('environments', environments, said);
});
