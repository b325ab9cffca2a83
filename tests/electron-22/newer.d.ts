// All that the sources use of an Electron newer than 22. Each use has an answer for an Electron that lacks it.
declare namespace Electron {
  interface WebContents {
    on(event: 'will-frame-navigate', listener: (event: Electron.Event) => void): this;
  }
  class ClipboardItem {
    constructor(items: Record<string, unknown>);
  }
  interface Clipboard {
    write(data: ClipboardItem[]): Promise<void>;
  }
  namespace CrossProcessExports {
    const ClipboardItem: typeof Electron.ClipboardItem;
  }
}
