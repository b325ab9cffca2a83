import { pack } from 'tar-stream';

/** A name that ends in a slash is a directory's. */
export async function tarOf(files: Record<string, string | Uint8Array>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) {
    const kind = name.endsWith('/')
      ? ({ type: 'directory', mode: 0o755 } as const)
      : ({ type: 'file', mode: 0o644 } as const);
    archive.entry({ name, ...kind, uid: 0, gid: 0, mtime: new Date(0) }, Buffer.from(content));
  }
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}
