import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { latestRelease } from '../../../../src/main/updates/latest-release.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Address of a server that answers so. */
async function answering(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/releases/latest`;
}
const saying = (text: string, status = 200): Promise<string> =>
  answering((_, response) => response.writeHead(status).end(text));

describe('the newest release', () => {
  it.each([
    ['v1.2.3', '1.2.3'],
    ['0.10.0', '0.10.0'],
  ])('with the tag %s is version %s', async (tag, version) => {
    const address = await saying(JSON.stringify({ tag_name: tag, body: 'Notes', assets: [] }));
    await expect(latestRelease(address, '0.1.0')).resolves.toBe(version);
  });

  it('is asked for with nothing but the program’s name and version', async () => {
    let seen: IncomingMessage['headers'] = {};
    const address = await answering((request, response) => {
      seen = request.headers;
      response.end('{"tag_name":"v1.0.0"}');
    });
    await latestRelease(address, '0.1.0');
    const { host, connection, ...told } = seen;
    expect(told).toEqual({ accept: 'application/vnd.github+json', 'user-agent': 'Whalemark/0.1.0' });
    expect([typeof host, typeof connection]).toEqual(['string', 'string']);
  });

  it.each<[string, string, number?]>([
    ['another status', '{"tag_name":"v1.0.0"}', 404],
    ['a redirect, which is not followed', '', 302],
    ['no JSON', '<html>'],
    ['no tag', '{}'],
    ['a tag that is no version', '{"tag_name":"nightly"}'],
    ['a tag with more than a version', '{"tag_name":"v1.2.3<script>"}'],
    ['more than anybody has to say', `{"tag_name":"v1.0.0","body":"${'x'.repeat(2 ** 20)}"}`],
  ])('is unknown with %s', async (_, text, status) => {
    const address = await saying(text, status);
    await expect(latestRelease(address, '0.1.0')).rejects.toMatchObject({ reason: 'unexpected' });
  });

  it('is unknown where nobody answers', async () => {
    const address = await saying('');
    for (const close of closing.splice(0)) close();
    await expect(latestRelease(address, '0.1.0')).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it('is unknown when the answer ends in the middle', async () => {
    const address = await answering((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"tag_name":', () => response.destroy());
    });
    await expect(latestRelease(address, '0.1.0')).rejects.toMatchObject({ reason: 'unreachable' });
  });
});
