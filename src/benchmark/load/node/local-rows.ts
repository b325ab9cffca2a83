import type { Socket } from 'node:net';
import { Readable } from 'node:stream';

/** How many bytes may wait for the server before no more are made. */
const AHEAD_BYTES = 256 * 1024;

/** Bytes of rows, a part at a time; undefined after the last one. */
export type RowSource = () => Buffer | undefined;

/**
 * What LOAD DATA LOCAL reads. Rows are made as fast as the server takes them, so that memory stays bounded: mysql2 by
 * itself would read its source to the end whatever the socket says.
 */
export function pacedRows(socket: Socket, source: RowSource): Readable {
  const rows: Readable = new Readable({
    highWaterMark: 1,
    read: () => {
      const go = (): void => {
        try {
          rows.push(source() ?? null);
        } catch (error) {
          rows.destroy(error instanceof Error ? error : new Error(String(error)));
        }
      };
      if (socket.destroyed) return;
      // The kernel may take all at once: without a turn for others, nobody else would be heard until the last row.
      if (socket.writableLength > AHEAD_BYTES) socket.once('drain', go);
      else setImmediate(go);
    },
  });
  return rows;
}
