import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProtocolError } from '../../../src/benchmark/load/builtin/wire/answer-reader.ts';
import { openConnectionsSoon } from './server-counters.ts';
import { FLAVORS, full, useServer } from './shared-server.ts';
import { Talk } from './wire-talk.ts';

/** Errors of a connection that we ended, and of one that the server ended. */
const CLOSED = 'ConnectionClosed: the connection was closed';
const LOST = /Connection lost: The server closed the connection|ECONNRESET/;

describe.each(FLAVORS)('a WireSession that ends, on %s', (flavor) => {
  const server = useServer(flavor);
  let talk: Talk;
  let sleepers = 0;
  beforeEach(async () => {
    talk = await Talk.open(server.target);
  });
  afterEach(async () => {
    await server.endConnections();
    expect(await openConnectionsSoon(server)).toBe(0);
  });

  const abortedClients = async (): Promise<number> =>
    Number((await server.asRoot("SHOW GLOBAL STATUS LIKE 'Aborted_clients'"))[0]?.[1]);
  /** The server's number of a connection. */
  const numberOf = async (one: Talk): Promise<number> => {
    await one.run("SELECT GET_LOCK('wire', 0)");
    const [row] = await server.asRoot("SELECT IS_USED_LOCK('wire')");
    await one.run("SELECT RELEASE_LOCK('wire')");
    return Number(row?.[0]);
  };
  /** Sends a statement that doesn't end by itself. Resolves when the server runs it; `told` resolves with its end. */
  const sleeping = async (one: Talk): Promise<{ told: Promise<string> }> => {
    const sql = `SELECT SLEEP(1000) /* ${++sleepers} */`;
    const told = one.query(sql).then(
      ({ error, rows }) => (error === undefined ? `${rows} rows` : `error ${error.errno}`),
      (error: unknown) => String(error),
    );
    const running = `SELECT id FROM information_schema.processlist WHERE info = '${sql}'`;
    while ((await server.asRoot(running)).length === 0);
    return { told };
  };

  it('says goodbye', async () => {
    const before = await abortedClients();
    await talk.run('SELECT 1');
    await talk.session.close();
    expect(await openConnectionsSoon(server)).toBe(0);
    expect(await abortedClients()).toBe(before);
    expect(talk.lostWith.map(String)).toEqual([CLOSED]);
  });

  it('frees the connection at once when it is destroyed', async () => {
    const before = await abortedClients();
    const told = expect(talk.query('SELECT SLEEP(0)')).rejects.toThrow('the connection was closed');
    talk.session.destroy();
    expect(talk.lostWith).toHaveLength(1);
    await told;
    await talk.session.close();
    expect(await openConnectionsSoon(server)).toBe(0);
    expect(await abortedClients()).toBe(before + 1);
    expect(talk.lostWith).toHaveLength(1);
  });

  it('is destroyed by the signal that it was opened with', async () => {
    const stop = new AbortController();
    const other = await Talk.open(server.target, stop.signal);
    const { told } = await sleeping(other);
    stop.abort();
    expect(await told).toBe(CLOSED);
    expect(other.lostWith).toHaveLength(1);
    await talk.session.close();
  });

  it('says goodbye after the statement that is running, and sends nothing more', async () => {
    const inserts = async (): Promise<unknown> => server.asRoot("SHOW GLOBAL STATUS LIKE 'Com_insert'");
    const before = await inserts();
    const next = talk.query('SELECT SLEEP(0.2)').then(() => talk.query('INSERT INTO never VALUES (1)'));
    const lost = expect(next).rejects.toThrow('the connection was closed');
    await talk.session.close();
    await lost;
    expect(await inserts()).toEqual(before);
  });

  it('hears that it was killed while it waited for nothing', async () => {
    await server.asRoot(`KILL ${await numberOf(talk)}`);
    const error = await talk.lostSoon;
    await talk.session.close();
    expect(talk.lostWith).toEqual([error]);
    expect(String(error)).toMatch(LOST);
  });

  it('hears that it was killed while a statement ran', async () => {
    const number = await numberOf(talk);
    const { told } = await sleeping(talk);
    await server.asRoot(`KILL ${number}`);
    expect(await told).toMatch(/Connection lost|^error 1317$/);
    const error = await talk.lostSoon;
    expect(talk.lostWith).toEqual([error]);
    expect(String(error)).toMatch(LOST);
  });

  it('hears why the server said goodbye', async () => {
    await talk.run('SET SESSION wait_timeout = 1');
    expect(String(await talk.lostSoon)).toMatch(
      flavor === 'mysql' ? /^ServerError: .*because of inactivity/ : LOST,
    );
    expect(talk.lostWith).toHaveLength(1);
  });

  it('gives the server no file of this machine', async () => {
    await server.asRoot('CREATE TABLE sbtest.loaded (a VARCHAR(200))');
    await server.withGlobals({ local_infile: 1 }, () =>
      expect(talk.query("LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE loaded")).rejects.toThrow(
        ProtocolError,
      ),
    );
    expect(talk.lostWith).toHaveLength(1);
    expect(await server.asRoot('SELECT COUNT(*) FROM sbtest.loaded')).toEqual([[0]]);
    expect(await openConnectionsSoon(server)).toBe(0);
  });

  it('hears that the server is gone', full(flavor !== 'mariadb'), async () => {
    const idle = await Talk.open(server.target);
    const { told } = await sleeping(talk);
    await server.kill();
    try {
      expect(await told).toMatch(LOST);
      for (const one of [talk, idle]) {
        expect(String(await one.lostSoon)).toMatch(LOST);
        expect(one.lostWith).toHaveLength(1);
        await one.session.close();
        // A later conversation gets the loss at once, and its statements go nowhere.
        one.session.query('SELECT 1');
        await expect(one.prepare('SELECT 1')).rejects.toBe(one.lostWith[0]);
        expect(one.lostWith).toHaveLength(1);
      }
    } finally {
      await server.start();
    }
  });
});
