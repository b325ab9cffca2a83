import { pack } from 'tar-stream';

/**
 * A tar archive of plain files (name → content), owned by root, readable by everybody. Times are left at zero so that
 * the same files give the same bytes and the engine's build cache recognises them.
 */
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
