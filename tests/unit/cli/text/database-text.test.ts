import { describe, expect, it } from 'vitest';
import { serviceJson, configText } from '../../../../src/cli/text/database-text.ts';
import { msg } from '../../../../src/shared/message.ts';
import { makeDatabase } from '../../database-builder.ts';

describe('a database in words', () => {
  it('names what was read, remarks, and what to do next', () => {
    const database = makeDatabase({
      limits: { cpus: 2, memoryMiB: 512 },
      options: ['--max-connections=300'],
      otherPaths: [{ kind: 'user-bridge', client: 'app', port: null, at: null }],
      warnings: [msg('yourDatabase.script')],
      container: { id: 'x', running: true },
    });
    const text = configText(database, ['my shop/compose.yaml']);
    for (const part of [
      /^db: MySQL, running$/m,
      /^ {2}Image: mysql:8\.4$/m,
      /^ {2}Storage: bind mount .*data/m,
      /^ {2}Clients connect: .*3306/m,
      /^ {2}Other clients: .*app/m,
      /2 CPUs, 512 MiB/,
      /--max-connections=300/,
      /^ {2}! /m,
      /whalemark setup 'my shop\/compose\.yaml' --run$/m,
      /whalemark setup 'my shop\/compose\.yaml' --override$/m,
    ]) {
      expect(text).toMatch(part);
    }
  });

  it('names a service where there are several, and offers nothing for a refused one', () => {
    const [one] = makeDatabase().services;
    if (one === undefined) throw new Error('a service was expected');
    const { source } = makeDatabase();
    const refused = { ...one, name: 'old', refusal: msg('compose.volumeDriver', { driver: 'x' }) };
    expect(configText({ source, services: [refused, one] }, ['c.yaml'])).toMatch(/--service db --plan$/m);
    expect(configText({ source, services: [refused] }, ['c.yaml'])).not.toMatch(/--plan/);
    expect(configText({ source, services: [one] }, [], {}, true)).toMatch(
      /^To measure: +whalemark setup --run$/m,
    );
    const given = {
      service: 'db',
      connections: [1, 2],
      quick: true,
      json: true,
    };
    expect(configText({ source, services: [one] }, ['c.yaml', 'a.yaml', 'b c.yaml'], given)).toContain(
      "whalemark setup c.yaml a.yaml 'b c.yaml' --service db --connections 1,2 --quick --plan\n",
    );
  });

  it('is an object for scripts with remarks as code and message', () => {
    const [service] = makeDatabase({ warnings: [msg('yourDatabase.script')] }).services;
    if (service === undefined) throw new Error('a service was expected');
    expect(serviceJson(service)).toMatchObject({
      ...{ name: 'db', flavor: 'mysql', image: 'mysql:8.4', limits: { cpus: null, memoryMiB: null } },
      storage: { kind: 'bind-mount' },
      path: { kind: 'published-port' },
      warnings: [{ code: 'yourDatabase.script', message: msg('yourDatabase.script').text }],
      refusal: null,
    });
  });
});
