import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { databaseSchema } from '../../src/shared/model/database.ts';
import { englishOf } from '../../src/shared/message.ts';
import { readProject } from '../unit/shared/project/project-texts.ts';
import { fuzz } from './support/fuzz.ts';
import { textMutants } from './support/text-mutants.ts';

const FIXTURES = 'tests/fixtures/compose';
const texts = readdirSync(FIXTURES)
  .map((name) => join(FIXTURES, name))
  .filter((path) => statSync(path).isDirectory())
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((path) => path.endsWith('.yaml') || path.endsWith('.yml'))
  .map((path) => readFileSync(path, 'utf8'));

const PIECES = [
  '\n    <<: *restart\n',
  '\n    <<: [*restart, *database]\n',
  ' &anchor ',
  ' *anchor',
  ' *credentials',
  ' !reset ',
  ' !override ',
  '\n---\n',
  '\n    extends: db\n',
  '\n    extends: { service: db, file: compose.yaml }\n',
  '\n    extends: { service: db, file: other.yaml }\n',
  '${A:-${B:-$C}}',
  '${',
  '$$',
  '${A:?b}',
  '\n    ports: ["1-65535:1-65535"]\n',
  ':3306',
  '[::1]:',
  '\n    volumes: ["C:\\\\data:/var/lib/mysql"]\n',
  '\n    network_mode: service:db\n',
  '\n    command: mysqld --datadir=/x "--y\n',
  '\n    __proto__: { polluted: 1 }\n',
  '\n__proto__:\n  db: {}\n',
  '\n    deploy: { resources: { limits: { cpus: "1e400", memory: 1e9g } } }\n',
  '\n    driver_opts: { type: nfs, o: "addr=,nfsvers=4", device: ":/" }\n',
];

const PLACE = /^[\w./-]+:\d+: \S/;

fuzz({
  name: 'compose',
  isApart: true,
  share: 0.5,
  cases: fc.record({
    compose: textMutants(texts, PIECES),
    other: textMutants(texts, PIECES),
    env: textMutants(['A=1\nB="$A$A"\nC=\'x\'\nDATA_ROOT=${B:-/srv}\n'], ['="', "='", '=$A', '\\', '${']),
  }),
  judge: ({ compose, other, env }) => {
    const files = ['/work/shop/compose.yaml', '/work/shop/other.yaml'];
    const all = { 'compose.yaml': compose, 'other.yaml': other, '.env': env };
    const readings = [readProject(all), readProject(all, { files })];
    if ('polluted' in {}) throw new Error('a prototype was changed');
    for (const { database, problems } of readings) {
      databaseSchema.parse(database);
      const told = [
        ...problems,
        ...database.services.flatMap(({ warnings, refusal }) => [...warnings, refusal ?? []].flat()),
      ];
      const odd = told.map(englishOf).find((text) => !PLACE.test(text));
      if (odd !== undefined) throw new Error(`names no place: ${odd}`);
    }
    return readings[0]?.problems.length === 0 ? 'accepted' : 'refused';
  },
});
