import { clipboard, ClipboardItem, nativeImage } from 'electron';

/** The clipboard of older Electrons, the one of our tests among them; newer ones have the web's in its place. */
interface OlderClipboard {
  writeImage(image: Electron.NativeImage): void;
}

/** Puts a PNG into the clipboard. */
export async function writePicture(png: Uint8Array<ArrayBuffer>): Promise<void> {
  const board: object = clipboard;
  if (isOlder(board)) board.writeImage(nativeImage.createFromBuffer(Buffer.from(png)));
  else await clipboard.write([new ClipboardItem({ 'image/png': new Blob([png], { type: 'image/png' }) })]);
}

/** Puts plain text into the clipboard. */
export async function writeText(text: string): Promise<void> {
  await clipboard.writeText(text);
}

function isOlder(board: object): board is OlderClipboard {
  return 'writeImage' in board;
}
