import { open } from 'node:fs/promises';
import * as z from 'zod';
import { setAside } from './rotating-file.ts';
import { logFile } from './log.ts';

/** As much of a file as its last lines can be long, bytes. */
const TAIL_BYTES = 256 * 1024;

const lineSchema = z.looseObject({
  at: z.string(),
  process: z.string(),
  pid: z.number(),
  level: z.string(),
  message: z.string(),
});

/** The last lines of the log, the oldest first, each as a person reads it. Never rejects. */
export async function logTail(dataDir: string, most: number): Promise<string[]> {
  const path = logFile(dataDir);
  let lines: string[] = [];
  for (const file of [...(await setAside(path)), path].reverse()) {
    lines = [...(await lastLines(file)), ...lines];
    if (lines.length >= most) break;
  }
  return lines.slice(-most).map(readable);
}

async function lastLines(path: string): Promise<string[]> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const start = Math.max(0, size - TAIL_BYTES);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
      const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
      // The first one is only a part of a line.
      return (start === 0 ? lines : lines.slice(1)).filter((line) => line !== '');
    } finally {
      await file.close();
    }
  } catch {
    return [];
  }
}

/** `2026-08-01T12:00:00.000Z core 4711 info: trial started {"trialId":"…"}`; what is no line of ours stays as it is. */
function readable(text: string): string {
  const line = parsed(text);
  if (line === undefined) return text;
  const { at, process, pid, level, message, ...fields } = line;
  const more = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`;
  return `${at} ${process} ${pid} ${level}: ${message}${more}`;
}

function parsed(text: string): z.infer<typeof lineSchema> | undefined {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
