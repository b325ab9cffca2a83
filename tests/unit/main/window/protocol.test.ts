import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Protocol } from 'electron';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { answerOf, serveRenderer } from '../../../../src/main/window/protocol.ts';
import { CONTENT_SECURITY_POLICY } from '../../../../src/main/window/security.ts';
import { sharedFolder } from '../../../helpers/folders.ts';

const SECRET = 'secret';
const folder = sharedFolder();
const root = join(folder, 'renderer');

beforeAll(() => {
  for (const one of ['renderer/assets', 'renderer-other', 'main'])
    mkdirSync(join(folder, one), { recursive: true });
  writeFileSync(join(root, 'index.html'), '<p>page</p>');
  writeFileSync(join(root, 'assets', 'a.js'), '1');
  writeFileSync(join(root, 'notes.txt'), SECRET);
  // Files of this kind would be served from within the folder.
  for (const one of ['secret.json', 'renderer-other/secret.json', 'main/secret.json', 'main/index.html']) {
    writeFileSync(join(folder, one), SECRET);
  }
  symlinkSync(join(folder, 'secret.json'), join(root, 'link.json'));
  symlinkSync(join(folder, 'main'), join(root, 'linked'), 'dir');
  symlinkSync(join(root, 'assets', 'a.js'), join(root, 'within.js'));
});

const get = (url: string, method = 'GET') => answerOf({ url, method }, root);

describe('the page’s own scheme', () => {
  it('serves the page’s files, each with the policy and a type that is not guessed', async () => {
    for (const [url, type, text] of [
      ['app://whalemark/', 'text/html; charset=utf-8', '<p>page</p>'],
      ['app://whalemark/index.html?x=y#z', 'text/html; charset=utf-8', '<p>page</p>'],
      ['app://whalemark/assets/a.js', 'text/javascript; charset=utf-8', '1'],
      ['app://whalemark/assets/../assets/a.js', 'text/javascript; charset=utf-8', '1'],
      ['app://whalemark/within.js', 'text/javascript; charset=utf-8', '1'],
    ] as const) {
      const answer = await get(url);
      expect(answer, url).toMatchObject({
        statusCode: 200,
        headers: {
          'Content-Type': type,
          'Content-Security-Policy': CONTENT_SECURITY_POLICY,
          'X-Content-Type-Options': 'nosniff',
        },
      });
      expect(String(answer.data), url).toBe(text);
    }
  });

  it('serves nothing else, however an address is written', async () => {
    const ups = ['..', '%2e%2e', '%252e%252e', '.%00.', '..;', '....', '', 'C:', 'index.html', 'file:'];
    const slashes = ['/', '//', '%2f', '%2F', '%252f', '%5c', '%5C', '\\', '%c0%af', '%ef%bc%8f', ':', '%00'];
    const names = [
      ...['secret.json', 'renderer-other/secret.json', 'main/secret.json', 'main/index.html', 'link.json'],
      ...['linked/secret.json', 'linked/index.html', 'notes.txt', 'none.js', 'assets', '%', '%zz'],
      ...[join(folder, 'secret.json'), encodeURIComponent(join(folder, 'secret.json'))],
    ];
    const climbs = ups.flatMap((up) => slashes.map((slash) => up + slash));
    const paths = names.flatMap((name) => [
      name,
      ...climbs.flatMap((climb) => [`${climb}${name}`, `assets/${climb}${climb}${name}`]),
    ]);
    for (const path of paths) {
      const answer = await get(`app://whalemark/${path}`);
      expect([answer.statusCode, String(answer.data)], path).toEqual([404, 'Not found']);
    }
  });

  it.each([
    'app://elsewhere/',
    'app://whalemark.example.com/',
    'file:///index.html',
    'app:index.html',
    'x',
    '',
  ])('serves nothing of another host or scheme: “%s”', async (url) => {
    expect((await get(url)).statusCode).toBe(404);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'CONNECT', 'TRACE', 'HEAD', 'get', ''])(
    'answers %s with nothing',
    async (method) => {
      const answer = await get('app://whalemark/', method);
      expect(answer.statusCode).toBe(405);
      expect(String(answer.data)).not.toContain('page');
    },
  );

  it('says once that a page has its scripts, when nothing else is on the way', async () => {
    type Handler = Parameters<Protocol['registerBufferProtocol']>[1];
    const register = vi.fn<(scheme: string, handler: Handler) => boolean>(() => true);
    const onLoaded = vi.fn();
    serveRenderer({ registerBufferProtocol: register } as unknown as Protocol, root, onLoaded);
    const ask = (path: string): Promise<void> =>
      new Promise((resolve) => {
        const request = { url: `app://whalemark/${path}`, method: 'GET' } as Electron.ProtocolRequest;
        register.mock.lastCall?.[1](request, () => resolve());
      });
    await ask('index.html');
    await new Promise(setImmediate);
    expect(onLoaded).not.toHaveBeenCalled();
    await Promise.all([ask('assets/a.js'), ask('assets/none.css')]);
    await new Promise(setImmediate);
    expect(onLoaded).toHaveBeenCalledOnce();
  });
});
