import { pack } from 'tar-stream';

export async function tarOf(files: Record<string, string | Uint8Array>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) {
    archive.entry({ name, mode: 0o644, uid: 0, gid: 0, mtime: new Date(0) }, Buffer.from(content));
  }
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}
