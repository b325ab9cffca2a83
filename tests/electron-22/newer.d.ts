// All that the sources use of an Electron newer than 22. Each use has an answer for an Electron that lacks it.
declare namespace Electron {
  interface WebContents {
    on(event: 'will-frame-navigate', listener: (event: Electron.Event) => void): this;
  }
  interface Clipboard {
    write(data: object[]): Promise<void>;
  }
  namespace CrossProcessExports {
    const ClipboardItem: new (items: Record<string, Blob>) => object;
    const webUtils: { getPathForFile(file: File): string };
  }
}
