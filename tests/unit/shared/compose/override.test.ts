import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { parse } from 'yaml';
import { overrideOf, type OverrideRequest } from '../../../../src/shared/compose/override.ts';
import { commandWith } from '../../../../src/shared/compose/override-command.ts';
import type { DatabaseChange } from '../../../../src/shared/model/database.ts';
import { serverOption } from '../../../../src/shared/options/option.ts';
import { firstDatabase, resolved } from './resolved.ts';

type Written = Partial<NonNullable<OverrideRequest['written']>>;

async function overriding(
  service: object,
  change: DatabaseChange,
  { others = {}, isVm = false, written = {} as Written } = {},
) {
  const around = resolved({ db: { image: 'mysql:8.4.3', ...service }, ...others }, {}, written);
  const request = { model: around.model, change, isVm, poolOptions: [], written: around.written('db') };
  return overrideOf({ ...request, service: await firstDatabase(around) });
}

/** The override, with the fields that it has for the service. */
async function made(...how: Parameters<typeof overriding>) {
  const override = await overriding(...how);
  if ('refusal' in override) throw new Error(override.refusal.text);
  const { services } = parse(override.text, { logLevel: 'error' }) as { services: { db: object } };
  return { ...override, db: services.db };
}

const HOST = { factor: 'path', level: 'host-network' } as const;
const FLUSH = { factor: 'server', level: 'relaxed-flush' } as const;
const HEALTH = { factor: 'healthcheck', level: '140s,5' } as const;
const VOLUME = { factor: 'storage', level: 'named-volume' } as const;

describe('an override', () => {
  it('has the command as it is written, with its variables', async () => {
    const secret = { command: ['--max-connections=9', '--password=canary'] };
    const written = { command: ['--max-connections=9', '--password=${PW}'] };
    const { text, db } = await made(secret, FLUSH, { written });
    expect(text).not.toContain('canary');
    const options = ['--password=${PW}', '--sync-binlog=0'];
    expect(db).toMatchObject({ command: expect.arrayContaining(options) as unknown });
  });

  it('puts all parts of a combination in one file', async () => {
    const level = 'storage.named-volume+path.host-network+server.relaxed-flush';
    const ports = [{ target: 3306, published: '3307' }];
    const { keys, text } = await made({ ports }, { factor: 'together', level });
    expect(keys.sort()).toEqual(['command', 'network_mode', 'ports', 'volumes']);
    for (const option of ['--port=3307', '--sync-binlog=0']) expect(text).toContain(option);
  });

  it.each(['mysql:8.4.3', 'mariadb:11.8'])('warns of no secret in options of its own: %s', async (image) => {
    const { notes } = await made({ image }, HOST);
    expect(notes.map(({ code }) => code)).not.toContain('override.note.secret');
  });

  it('makes a health check wait for a first start', async () => {
    const { db } = await made({ healthcheck: { test: ['CMD', 'mysqladmin', 'ping'] } }, HEALTH);
    expect(db).toEqual({ healthcheck: { start_period: '140s', retries: 5 } });
  });

  it.each([
    ['vm', {}, HOST, { isVm: true }],
    ['client', {}, HOST, { others: { app: { image: 'app', depends_on: { db: {} } } } }],
    ['named', {}, HOST, { others: { app: { image: 'app', network_mode: 'host', command: ['--host=db'] } } }],
    ['already', { network_mode: 'host' }, HOST, {}],
    ['already', {}, { factor: 'server', level: 'without-limits' } as const, {}],
    [
      'entrypoint',
      { entrypoint: ['/own.sh'], volumes: [{ type: 'bind', source: '/a', target: '/var/lib/mysql' }] },
      FLUSH,
      {},
    ],
    ['noHealthCheck', {}, HEALTH, {}],
    ['variable', { command: ['--a=1', '--b=2'] }, FLUSH, { written: { command: ['$OPTIONS'] } }],
    ['mountAbove', { volumes: [{ type: 'bind', source: '/a', target: '/var/lib' }] }, VOLUME, {}],
  ])('is refused as %s for %o', async (reason, service, change, more) => {
    expect(await overriding(service, change, more)).toMatchObject({
      refusal: { code: `override.refused.${reason}` },
    });
  });
});

it('replaces each option once, however it is written, and keeps the others', () => {
  const OPTION = fc
    .tuple(fc.constantFrom('sync_binlog', 'loose-sync-binlog', 'max-connections'), fc.boolean())
    .map(([name, isTwo]) => (isTwo ? [`--${name}`, '1'] : [`--${name}=1`]));
  fc.assert(
    fc.property(fc.array(OPTION, { maxLength: 5 }), (all) => {
      const command = all.flat();
      const written = { image: '', command, entrypoint: [], environment: {} };
      const words = commandWith(['--sync-binlog=0'], { command }, written);
      const names = words.flatMap((word) => serverOption(word)?.name ?? []);
      expect(names.filter((name) => name === 'sync-binlog')).toHaveLength(1);
      expect(words.at(-1)).toBe('--sync-binlog=0');
      const others = command.filter((word) => !/sync/.test(word)).filter((word) => word.startsWith('--'));
      expect(words.filter((word) => word.startsWith('--') && !/sync/.test(word))).toEqual(others);
    }),
  );
});
