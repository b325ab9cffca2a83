import { extract, type Headers } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { tarOf } from '../../../../../src/benchmark/runtime/engine/tar.ts';

/** What a reader finds in an archive. */
async function entriesOf(archive: Buffer): Promise<{ header: Headers; content: Buffer }[]> {
  const entries: { header: Headers; content: Buffer }[] = [];
  const reader = extract();
  await new Promise<void>((resolve, reject) => {
    reader.on('entry', (header, stream, next) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        entries.push({ header, content: Buffer.concat(chunks) });
        next();
      });
    });
    reader.on('finish', resolve);
    reader.on('error', reject);
    reader.end(archive);
  });
  return entries;
}

describe('tarOf', () => {
  it('holds every file under its name, owned by root and readable by everybody', async () => {
    const long = `${'x'.repeat(101)}.bin`;
    const files = { Dockerfile: 'FROM scratch\n', 'größe.bin': new Uint8Array([1, 2, 3]), [long]: '' };
    const entries = await entriesOf(await tarOf(files));
    expect(entries.map(({ header, content }) => [header.name, [...content]])).toEqual([
      ['Dockerfile', [...Buffer.from('FROM scratch\n')]],
      ['größe.bin', [1, 2, 3]],
      [long, []],
    ]);
    for (const { header } of entries) {
      expect(header).toMatchObject({ mode: 0o644, uid: 0, gid: 0, type: 'file' });
    }
  });

  it('makes a directory of a name with a slash at its end', async () => {
    const [entry] = await entriesOf(await tarOf({ 'mysql/': '' }));
    expect(entry?.header).toMatchObject({ name: 'mysql/', type: 'directory', mode: 0o755, uid: 0, gid: 0 });
  });

  it('gives the same bytes for the same files', async () => {
    expect((await tarOf({ a: 'x' })).equals(await tarOf({ a: 'x' }))).toBe(true);
  });
});
