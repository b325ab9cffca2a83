import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEventQueue } from '../../../src/main/event-queue.ts';
import { exportFileName } from '../../../src/main/export-name.ts';
import { fileOf } from '../../../src/main/protocol.ts';
import { CONTENT_SECURITY_POLICY, isOwnAddress } from '../../../src/main/security.ts';
import { isOwnSender } from '../../../src/main/sender.ts';

describe('addresses', () => {
  it.each(['app://whalemark/', 'app://whalemark/assets/a.js'])('%s is ours', (url) => {
    expect(isOwnAddress(url)).toBe(true);
  });

  it.each(['app://elsewhere/', 'https://whalemark/', 'file:///whalemark', 'app:whalemark', '', 'app://'])(
    '“%s” is not',
    (url) => {
      expect(isOwnAddress(url)).toBe(false);
    },
  );

  it('lead to files below the page’s folder and nowhere else', () => {
    const root = join('/srv', 'renderer');
    expect(fileOf('app://whalemark/', root)).toBe(join(root, 'index.html'));
    expect(fileOf('app://whalemark/assets/a.js', root)).toBe(join(root, 'assets', 'a.js'));
    for (const path of ['..%2f..%2fetc%2fpasswd', '%2e%2e%2fmain', '..%5c..%5cmain', 'a%00.js', '%', '.']) {
      const file = fileOf(`app://whalemark/${path}`, root);
      expect(file === undefined || file.startsWith(join(root, '/')), path).toBe(true);
    }
    expect(fileOf('app://whalemark/..%2frenderer-other/x', root)).toBeUndefined();
  });

  it('are allowed by a policy without exceptions', () => {
    expect(CONTENT_SECURITY_POLICY).toContain("default-src 'self'");
    expect(CONTENT_SECURITY_POLICY).not.toMatch(/unsafe|\*|https?:/);
  });
});

describe('senders', () => {
  const frame = { processId: 4, routingId: 1, url: 'app://whalemark/' };
  const window = { webContents: { mainFrame: frame } };

  it('the main frame of our window is heard', () => {
    expect(isOwnSender({ ...frame }, window)).toBe(true);
  });

  it.each([
    ['no frame', null],
    ['another process', { ...frame, processId: 5 }],
    ['a frame inside the page', { ...frame, routingId: 2 }],
    ['another page', { ...frame, url: 'https://example.com/' }],
  ])('%s is not', (_, sender) => {
    expect(isOwnSender(sender, window)).toBe(false);
  });

  it('nobody is heard without a window', () => {
    expect(isOwnSender(frame, undefined)).toBe(false);
  });
});

describe('events', () => {
  it('wait until somebody listens and then come in order', () => {
    const sent: number[] = [];
    const queue = createEventQueue<number>((event) => sent.push(event));
    queue.push(1);
    queue.push(2);
    expect(sent).toEqual([]);
    queue.open();
    queue.push(3);
    expect(sent).toEqual([1, 2, 3]);
  });

  it('for a page that is gone are not given to the next', () => {
    const sent: number[] = [];
    const queue = createEventQueue<number>((event) => sent.push(event));
    queue.push(1);
    queue.close();
    queue.push(2);
    queue.push(20);
    queue.forget((event) => event < 10);
    queue.push(3);
    queue.open();
    expect(sent).toEqual([20, 3]);
  });
});

describe('names of exports', () => {
  const state = { runId: '20260601-093000-a1b2', plan: { preset: { id: 'compare-my-setup' } } };

  it('say what and when', () => {
    expect(exportFileName(state, 'csv')).toBe('compare-my-setup-20260601-0930.csv');
    expect(exportFileName(state, 'windows-csv')).toBe('compare-my-setup-20260601-0930-windows.csv');
    expect(exportFileName(state, 'png')).toBe('compare-my-setup-20260601-0930.png');
    expect(exportFileName(state, 'json')).toBe('compare-my-setup-20260601-0930.whalemark');
  });

  it('hold nothing that a path would be made of', () => {
    const foreign = { runId: '../../x', plan: { preset: { id: 'a/b:c' } } };
    expect(exportFileName(foreign, 'json')).not.toMatch(/[\\/:]/);
  });
});
