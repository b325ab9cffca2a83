import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { DatabaseService } from '../../../../src/shared/model/database.ts';
import { settingsOfOptions } from '../../../../src/shared/options/settings.ts';
import { applied, change, CHANGES, FACTS } from './patched.ts';
import { readProject } from './project-texts.ts';

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,7}$/);
const comment = fc.option(word, { nil: undefined });

/** A field of a service, as lines without indentation. */
const field = fc.oneof(
  word.map((value) => [`container_name: ${value}`]),
  word.map((value) => ['environment:', `  PASSWORD: canary${value}`]),
  word.map((value) => ['environment:', `- PASSWORD=canary${value}`]),
  word.map((value) => [`labels: [a=canary${value}]`]),
  fc.constantFrom(
    ['restart: "always"'],
    ['ports:', '  - "3306:3306" # open', '  # other'],
    ['ports: [3306]'],
    ['cpus: 1'],
    ['mem_limit: 1g'],
    ['deploy:', '  resources:', '    limits:', '      memory: 1G'],
    ['deploy:', '  replicas: 1', '  resources:', "    limits: { cpus: '1', pids: 100, memory: 1G }"],
    ['deploy: { resources: { limits: { memory: 1G } } }'],
    ['memswap_limit: 1g'],
    ['command: --sync-binlog=1 --max-connections=9'],
    ['command:', '- --log-bin', '', "- '--sync-binlog=1'"],
    ['command: >', '  --skip-name-resolve', '  --sync_binlog 1'],
    ['command: |', '  mysqld', '  --sync-binlog=1'],
    ["command: [ '--sync-binlog', '1', '--log-bin' ]"],
    ['command: mysqld --port=3307'],
    [`command: '--log-bin=binlog --sql-mode="ANSI"'`],
    ['command:', '- docker-entrypoint.sh', '- mysqld', '# durable', '- "--sync-binlog"', '- "1"'],
    ['command: [--bind-address=0.0.0.0]'],
    ['networks: [default]'],
    ['command:'],
    ['volumes:', '  - ./data:/var/lib/mysql', '  - logs:/logs'],
    ['volumes: [ "./data:/var/lib/mysql" ]'],
    ['volumes:', '- source: ./data', '  target: /var/lib/mysql', '  type: bind'],
    ['volumes:', '- tmpfs: { size: 1g }', '  target: /var/lib/mysql', '  type: tmpfs'],
    ['volumes: ["nas:/var/lib/mysql"]'],
    ['tmpfs:', '- /var/lib/mysql'],
    ['tmpfs: /var/lib/mysql:size=1g'],
    ['network_mode: "bridge"'],
  ),
);

const composeText = fc
  .record({
    fields: fc.uniqueArray(fc.tuple(field, comment, fc.boolean()), {
      maxLength: 7,
      selector: ([[first = '']]) => first.split(':')[0],
    }),
    before: fc.boolean(),
    volumes: fc.constantFrom(
      '',
      'volumes:\n  logs:\n',
      'volumes: {logs: {}}\n',
      'volumes:\n',
      'volumes:\n  nas:\n    driver_opts: { type: nfs, device: ":/db", o: addr=nas }\n',
    ),
    after: fc.constantFrom('', '  app:\n    image: shop\n', '# the end\n'),
    lineBreak: fc.constantFrom('\n', '\r\n'),
    isClosed: fc.boolean(),
    mark: fc.constantFrom('', '\uFEFF'),
  })
  .map(({ fields, before, volumes, after, lineBreak, isClosed, mark }) => {
    const service = fields.flatMap(([lines, above, isSpaced]) => [
      ...(above === undefined ? [] : [`    # ${above}`]),
      ...lines.map((line) => (line === '' ? '' : `    ${line}`)),
      ...(isSpaced ? [''] : []),
    ]);
    const services = ['services:', '  db: # main', '    image: mysql', ...service, ''].join('\n') + after;
    const text = (before ? [volumes, services] : [services, after.startsWith('#') ? volumes : volumes]).join(
      '',
    );
    return mark + (isClosed ? text : text.trimEnd()).replaceAll('\n', lineBreak);
  });

type Facts = Pick<DatabaseService, 'storage' | 'path' | 'limits'> & { options: object };

/** What is measured of the service, without places in the text. */
function factsOf(text: string): Facts {
  const [service] = readProject({ 'compose.yaml': text }).database.services;
  if (service === undefined) throw new Error(text);
  const { storage, path, limits, options } = service;
  return {
    storage: { ...storage, at: null },
    path: { ...path, at: null },
    limits,
    options: settingsOfOptions(options, 'mysql'),
  };
}

/** What the run measured for the change. */
function measured(before: Facts, which: keyof typeof CHANGES, port: number): Facts {
  const { storage, options } = before;
  const placed = (kind: 'named-volume' | 'bind-mount', place: string, driver: string | null): Facts => ({
    ...before,
    storage: { ...storage, kind, spec: { kind }, place, driver },
  });
  const set = (settings: object): Facts => ({
    ...before,
    options: { ...options, settings: { ...Object(Reflect.get(options, 'settings')), ...settings } },
  });
  switch (which) {
    case 'volume':
      return placed('named-volume', 'shop_db-data', 'local');
    case 'folder':
      return placed('bind-mount', '/work/shop/db-data', null);
    case 'memory':
      return {
        ...before,
        storage: { ...storage, kind: 'tmpfs', spec: { kind: 'tmpfs' }, place: null, driver: null },
      };
    case 'limits':
      return { ...before, limits: { cpus: null, memoryMiB: null } };
    case 'flush':
      return set({ flushLogAtTrxCommit: 2, syncBinlog: 0 });
    case 'binlog':
      return set({ binlog: false });
    case 'version':
      return before;
    case 'pool':
      return set({ bufferPool: 1024, redoLogMiB: 1024 });
    default:
      return {
        ...before,
        path: { kind: 'host-network', client: null, port, at: null },
      };
  }
}

it('a change says what was measured, leaves all other lines, and applies, or is refused', () => {
  const made = { changed: 0, refused: 0 };
  fc.assert(
    fc.property(
      composeText,
      fc.uniqueArray(fc.constantFrom(...(Object.keys(CHANGES) as (keyof typeof CHANGES)[])), {
        ...{ minLength: 1, maxLength: 3 },
        selector: (one) => (CHANGES[one].factor === 'server' ? one : CHANGES[one].factor),
      }),
      fc.record<Partial<typeof FACTS>>({ isMariaDb: fc.boolean(), port: fc.constantFrom(null, 3306, 3307) }),
      (text, which, facts) => {
        const result = change(text, which, facts);
        if ('refusal' in result) {
          made.refused++;
          expect(result.refusal.text).not.toMatch(/canary|form of YAML/);
          return;
        }
        made.changed++;
        const { diff, text: after } = result;
        const port = facts.port ?? (text.includes('--port=3307') ? 3307 : 3306);
        const expected = which.reduce((before, one) => measured(before, one, port), factsOf(text));
        expect(factsOf(after)).toEqual(expected);
        // Only the line that Git needs behind a change.
        expect(diff).not.toMatch(/^[ @].*\n .*canary/m);
        const [lines, others] = [text.split('\n'), after.split('\n')];
        // Comments on lines of their own only go with the field that they are in.
        const removed = diff.split('\n').filter((line) => line.startsWith('-') && !line.startsWith('---'));
        const left = lines.filter((line) => !removed.includes(`-${line}`));
        let at = 0;
        for (const line of left) {
          at = others.indexOf(line, at) + 1;
          expect(at, line).toBeGreaterThan(0);
        }
        const comments = lines.map((line) => line.trim()).filter((line) => line.startsWith('#'));
        const kept = others.map((line) => line.trim());
        expect(comments.filter((line) => line !== '# other' && !kept.includes(line))).toEqual([]);
        expect(after.includes('\r')).toBe(text.includes('\r'));
        // An empty line before a removed last one becomes the last.
        const hasEmpty = lines.some((line) => line.trim() === '');
        if (text.endsWith('\n') || !hasEmpty) expect(after.endsWith('\n')).toBe(text.endsWith('\n'));
        const [old, now] = [text, after].map(
          (one) => parse(one) as { services: { db: Record<string, unknown> } & Record<string, unknown> },
        );
        expect(now?.services['app']).toEqual(old?.services['app']);
        const image = which.includes('version') ? FACTS.newestImage : old?.services.db['image'];
        expect(now?.services.db['image']).toEqual(image);
        for (const name of ['environment', 'labels', 'restart', 'container_name']) {
          expect(now?.services.db[name]).toEqual(old?.services.db[name]);
        }
        expect(applied(text, diff)).toBe(after);
        const again = change(after, which, facts);
        expect('refusal' in again && again.refusal.code).toBe('databasePatch.refused.already');
      },
    ),
    { numRuns: 300 },
  );
  expect(made.changed).toBeGreaterThan(100);
});
