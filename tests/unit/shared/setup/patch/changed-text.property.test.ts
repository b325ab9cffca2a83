import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { applied, change, CHANGES, type FACTS } from './patched.ts';

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
    ['command: --sync-binlog=1 --max-connections=9'],
    ['command:', '- --log-bin', '', "- '--sync-binlog=1'"],
    ['command: >', '  --skip-name-resolve', '  --sync_binlog 1'],
    ['volumes:', '  - ./data:/var/lib/mysql', '  - logs:/logs'],
    ['volumes: [ "./data:/var/lib/mysql" ]'],
    ['volumes:', '- source: ./data', '  target: /var/lib/mysql', '  type: bind'],
    ['tmpfs:', '- /var/lib/mysql'],
  ),
);

const composeText = fc
  .record({
    fields: fc.uniqueArray(fc.tuple(field, comment, fc.boolean()), {
      maxLength: 7,
      selector: ([[first = '']]) => first.split(':')[0],
    }),
    before: fc.boolean(),
    volumes: fc.constantFrom('', 'volumes:\n  logs:\n', 'volumes: {logs: {}}\n', 'volumes:\n'),
    after: fc.constantFrom('', '  app:\n    image: shop\n', '# the end\n'),
    lineBreak: fc.constantFrom('\n', '\r\n'),
    isClosed: fc.boolean(),
  })
  .map(({ fields, before, volumes, after, lineBreak, isClosed }) => {
    const service = fields.flatMap(([lines, above, isSpaced]) => [
      ...(above === undefined ? [] : [`    # ${above}`]),
      ...lines.map((line) => (line === '' ? '' : `    ${line}`)),
      ...(isSpaced ? [''] : []),
    ]);
    const services = ['services:', '  db: # main', '    image: mysql', ...service, ''].join('\n') + after;
    const text = (before ? [volumes, services] : [services, after.startsWith('#') ? volumes : volumes]).join(
      '',
    );
    return (isClosed ? text : text.trimEnd()).replaceAll('\n', lineBreak);
  });

it('a change leaves all other lines, and applies, or is refused', () => {
  const made = { changed: 0, refused: 0 };
  fc.assert(
    fc.property(
      composeText,
      fc.constantFrom(...(Object.keys(CHANGES) as (keyof typeof CHANGES)[])),
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
        expect(diff).not.toContain('canary');
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
        for (const name of ['image', 'environment', 'labels', 'restart', 'container_name']) {
          expect(now?.services.db[name]).toEqual(old?.services.db[name]);
        }
        expect(applied(text, diff)).toBe(after);
        const again = change(after, which, facts);
        expect('refusal' in again && again.refusal.code).toBe('setupPatch.refused.already');
      },
    ),
    { numRuns: 300 },
  );
  expect(made.changed).toBeGreaterThan(100);
});
