import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { probeEngine } from '../../../../../src/benchmark/runtime/discovery/probe.ts';
import { httpEngine } from '../engine/http-engine.ts';

let answers: Record<string, [number, string]> = {};
const { connection } = httpEngine(
  createServer(({ url = '' }, response) => {
    const [status, body] = answers[url] ?? [200, '{}'];
    response.writeHead(status).end(body);
  }),
);
const probe = (onAlive = () => undefined) => probeEngine(connection(), new AbortController().signal, onAlive);

it('an engine says what it is once it is alive', async () => {
  let isAlive = false;
  const version = { Version: '28.5.2', ApiVersion: '1.51', MinAPIVersion: '1.24' };
  answers = {
    '/_ping': [200, 'OK'],
    '/version': [200, JSON.stringify(version)],
    '/v1.44/info': [200, '{"NCPU":2}'],
  };
  const found = await probe(() => void (isAlive = true));
  expect([isAlive, found]).toEqual([true, { version, info: { NCPU: 2 } }]);
});

it.each<[string, [number, string], string]>([
  [
    '/_ping',
    [503, '{"message":"Docker Desktop is manually paused."}'],
    'HTTP 503: Docker Desktop is manually paused.',
  ],
  [
    '/_ping',
    [400, 'Client sent an HTTP request to an HTTPS server.\n'],
    'HTTP 400: Client sent an HTTP request to an HTTPS server.',
  ],
  ['/version', [200, '<html> hello'], 'it sent no JSON but “<html> hello”'],
  ['/info', [500, '{"message":"not yet"}'], 'HTTP 500: not yet'],
])('%s with %j is a bad answer', async (path, answer, message) => {
  answers = { [path]: answer };
  await expect(probe()).rejects.toMatchObject({ name: 'BadAnswer', message });
});
