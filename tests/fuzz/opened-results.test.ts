import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { readResultHere } from '../../src/benchmark/store/stored-result.ts';
import { resultTexts } from './support/bases.ts';
import { byteMutants } from './support/byte-mutants.ts';
import { fuzz } from './support/fuzz.ts';
import { acceptedOrRefused, type Refusal } from './support/refusal.ts';
import { sharedFolder } from '../helpers/folders.ts';

const directory = sharedFolder();
/** Files have a name, at least, and most a place in them. */
const refusal: Refusal = {
  codes: ['RESULT_UNREADABLE', 'RESULT_TOO_NEW'],
  namesPlace: ({ message, params }) => message.includes('given') && params['name'] !== undefined,
};
const bytes = resultTexts.map((text) => Buffer.from(text));

/** A file from another person, packed or not: whatever its bytes are. */
fuzz({
  name: 'result-file',
  share: 0.5,
  cases: fc.oneof(
    fc.record({ ending: fc.constant('whalemark'), bytes: byteMutants(bytes) }),
    fc.record({ ending: fc.constant('json.gz'), bytes: byteMutants(bytes.map((one) => gzipSync(one))) }),
    fc.record({ ending: fc.constant('json.gz'), bytes: byteMutants(bytes).map((one) => gzipSync(one)) }),
  ),
  judge: (file) =>
    acceptedOrRefused(async () => {
      const path = join(directory, `given.${file.ending}`);
      writeFileSync(path, file.bytes);
      await readResultHere(path, 'given');
    }, refusal),
});
