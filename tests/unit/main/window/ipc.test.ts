import type { BrowserWindow } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Frame, isOwnSender, setUpIpc } from '../../../../src/main/window/ipc.ts';
import { CHANNELS } from '../../../../src/shared/contract/channels.ts';
import type { Envelope } from '../../../../src/shared/contract/ipc.ts';

type Listener = (event: { senderFrame: unknown }, ...args: unknown[]) => unknown;

/** All listeners of main. The tests below ask each of them. */
const registered = vi.hoisted(() => new Map<string, Listener>());
vi.mock('electron', () => {
  const register = (channel: string, listener: Listener): void => void registered.set(channel, listener);
  return { ipcMain: { handle: register, handleOnce: register, on: register, once: register } };
});

const own: Frame = { processId: 4, routingId: 1, url: 'app://whalemark/' };
const OWN = { ...own };
/** A frame that has gone: Electron throws when it is read. */
const GONE = {
  get url(): string {
    throw new Error('Render frame was disposed before WebFrameMain could be accessed');
  },
  processId: 4,
  routingId: 1,
};
const STRANGERS: [string, unknown][] = [
  ['no frame', null],
  ['no frame at all', undefined],
  ['a frame within our page, of our own origin', { ...own, routingId: 2 }],
  ['a frame of another process, of our own origin', { ...own, processId: 5 }],
  ['our window on another page', { ...own, url: 'https://example.com/' }],
  ['our window on a page of our scheme', { ...own, url: 'app://elsewhere/' }],
  ['our window on a file', { ...own, url: 'file:///index.html' }],
  ['our window on an empty page', { ...own, url: 'about:blank' }],
  ['a frame that has gone', GONE],
];

function setUp(
  window: unknown = { webContents: { mainFrame: own, isDestroyed: () => false, send: vi.fn() } },
) {
  registered.clear();
  const answer = vi.fn<() => Promise<Envelope>>(() => Promise.resolve({ ok: true, value: 1 }));
  const onDropped = vi.fn();
  const queue = setUpIpc(() => window as BrowserWindow | undefined, answer, onDropped);
  const open = vi.spyOn(queue, 'open');
  /** Whether a listener did anything for this sender. */
  const isHeard = async (channel: string, senderFrame: unknown): Promise<boolean> => {
    answer.mockClear();
    open.mockClear();
    onDropped.mockClear();
    const thrown = await Promise.resolve()
      .then(() => registered.get(channel)?.({ senderFrame }, 'app:info', {}))
      .then(
        () => false,
        () => true,
      );
    return !thrown && [answer, open, onDropped].some(({ mock }) => mock.calls.length > 0);
  };
  return { isHeard, answer, open };
}

describe('what main listens to', () => {
  beforeEach(() => void setUp());

  it('are the channels of the window, and no others', () => {
    expect([...registered.keys()].sort()).toEqual(
      [CHANNELS.ready, CHANNELS.request, CHANNELS.dropped].sort(),
    );
  });

  it('hears our own page', async () => {
    const { isHeard } = setUp();
    for (const channel of registered.keys()) expect(await isHeard(channel, OWN), channel).toBe(true);
  });

  it.each(STRANGERS)('does not hear %s', async (_, sender) => {
    const { isHeard, answer, open } = setUp();
    for (const channel of registered.keys()) {
      expect(await isHeard(channel, sender), channel).toBe(false);
      expect(answer).not.toHaveBeenCalled();
      expect(open).not.toHaveBeenCalled();
    }
  });

  it('hears nobody before there is a window, and nobody after', async () => {
    const none = setUp(null);
    for (const channel of registered.keys()) expect(await none.isHeard(channel, OWN), channel).toBe(false);
    const destroyed = {
      get webContents(): unknown {
        throw new TypeError('Object has been destroyed');
      },
    };
    const gone = setUp(destroyed);
    for (const channel of registered.keys()) expect(await gone.isHeard(channel, OWN), channel).toBe(false);
  });

  it('does not fall over a message of a frame that has gone', () => {
    setUp();
    expect(() => registered.get(CHANNELS.ready)?.({ senderFrame: GONE })).not.toThrow();
    expect(isOwnSender(GONE, { webContents: { mainFrame: own } })).toBe(false);
  });
});
