import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { ADVICE, type AdviceCode } from '../../../../src/shared/analysis/advice.ts';
import { kindsOf } from '../../../../src/shared/kinds/kind.ts';
import { snippetOf } from '../../../../src/shared/words/advice-wording.ts';
import { makePlan } from '../../builders.ts';
import { TWO } from '../analysis/analysis-helpers.ts';

const composeSchema = z.object({
  services: z.object({
    db: z.object({
      image: z.string(),
      volumes: z.array(z.string()).default([]),
      cpus: z.number().optional(),
    }),
    app: z.object({ image: z.string() }).optional(),
  }),
  volumes: z.record(z.string(), z.object({})).default({}),
});

const plan = makePlan({
  scenarios: TWO,
  config: { limits: { cpus: 3, memoryMiB: null } },
});

function snippetTo(code: AdviceCode, storage: 'named-volume' | 'bind-mount') {
  const to = plan.scenarios.find((one) => one.storage.kind === storage);
  return snippetOf({ code, pair: { scenarioId: to?.id ?? '', referenceId: '' } }, plan);
}

describe('a snippet', () => {
  const texts = kindsOf(ADVICE).flatMap((code): [string, string][] => {
    const found = snippetTo(code, 'named-volume');
    return found?.language === 'yaml' && code !== 'test-in-memory' ? [[code, found.text]] : [];
  });
  it.each(texts)('for %s keeps the data in a declared volume', (_, text) => {
    const { services, volumes } = composeSchema.parse(parse(text));
    const [volume] = services.db.volumes.flatMap(
      (mount) => /^([\w-]+):\/var\/lib\/mysql$/.exec(mount)?.[1] ?? [],
    );
    expect(volume).toBeDefined();
    expect(Object.keys(volumes)).toContain(volume);
    // The app's image is for the user to name.
    expect(services.app?.image).not.toBe(services.db.image);
  });

  it('never lowers the CPU limit', () => {
    const { text = '' } = snippetTo('raise-cpu-limit', 'named-volume') ?? {};
    expect(composeSchema.parse(parse(text)).services.db.cpus).toBe(6);
  });

  it('shows what it adds with a line around it, of a file that is whole', () => {
    const { excerpt = [], text = '' } = snippetTo('use-host-network', 'named-volume') ?? {};
    const shown = excerpt.map((line) => line.text);
    expect(shown).toEqual([
      '    image: mysql:8.4',
      '    network_mode: host',
      '    command:',
      '      - --bind-address=127.0.0.1',
      '      - --loose-mysqlx-bind-address=127.0.0.1',
      '    environment:',
    ]);
    expect(excerpt.map(({ isNew }) => Number(isNew)).join('')).toBe('011110');
    expect(text).toContain(shown.join('\n'));
  });

  it('is none where the data goes to a folder', () => {
    expect(snippetTo('keep-safe-storage', 'bind-mount')).toBeNull();
  });
});
