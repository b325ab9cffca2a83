import fc from 'fast-check';
import { isKnownCode } from '../../src/shared/message.ts';
import { changedText, type DatabaseFacts } from '../../src/shared/project/patch/patch.ts';
import { CHANGES, FACTS } from '../unit/shared/project/patched.ts';
import { readProject } from '../unit/shared/project/project-texts.ts';
import { fuzz } from './support/fuzz.ts';
import { textMutants } from './support/text-mutants.ts';

const TEXTS = [
  `x-base: &base
  restart: always
  command: [--sync-binlog=1]
services:
  db:
    <<: *base
    image: mysql
    environment: {MYSQL_ROOT_PASSWORD: canary}
    volumes:
      - type: bind
        source: ./data
        target: /var/lib/mysql
    deploy:
      resources:
        limits: {cpus: "1", memory: 1G}
    ports: ["3306:3306"]
volumes:
  other:
`,
  `version: "2"
services:
  db: {image: mysql, tmpfs: [/var/lib/mysql], mem_limit: 1g, command: "--log-bin"}
`,
  `services:
  db:
    command: >-
      --log-bin
      --max-connections 10
    environment:
      - A=canary
    volumes: [./data:/var/lib/mysql]
`,
];

const PIECES = [
  '\n    <<: *base\n',
  '<<: [*base, *base]',
  ' &a ',
  ' *a',
  ' &base ',
  ' !reset ',
  '\n---\n',
  '\r\n',
  '\n    command: |\n      --log-bin\n',
  '\n    volumes:\n',
  '\n    ? [a]\n    : b\n',
  '\nvolumes: *base\n',
  ' # MYSQL_PASSWORD=canary\n',
  '\n    extends: db\n',
  "'",
  '"',
];

fuzz({
  name: 'setup-patch',
  isApart: true,
  cases: fc.record({
    text: textMutants(TEXTS, PIECES),
    change: fc.constantFrom(...Object.values(CHANGES)),
    port: fc.constantFrom(null, 3307),
  }),
  judge: ({ text, change, port }) => {
    const facts: DatabaseFacts = { ...FACTS, port };
    const { project } = readProject({ 'compose.yaml': text });
    if (project.problems.length > 0) return 'refused';
    const result = changedText(project, 'db', change, facts);
    if ('refusal' in result) {
      if (!isKnownCode(result.refusal.code)) throw new Error(`unknown: ${result.refusal.code}`);
      return 'refused';
    }
    const again = changedText(readProject({ 'compose.yaml': result.text }).project, 'db', change, facts);
    if (!('refusal' in again)) throw new Error(`changed twice:\n${result.diff}${again.diff}`);
    return 'accepted';
  },
});
