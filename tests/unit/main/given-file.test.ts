import { EventEmitter } from 'node:events';
import { resolve } from 'node:path';
import type { App } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { GivenFile, becomeOnlyInstance, receiveFiles, resultFileIn } from '../../../src/main/given-file.ts';

describe('the result file among the arguments of a start', () => {
  it.each([
    ['an installed app', ['/opt/Whalemark/whalemark', '/home/a/run.whalemark'], '/home/a/run.whalemark'],
    [
      'one with Chromium’s own arguments',
      ['whalemark', '--flag=x.json', 'r.WHALEMARK', '--no-sandbox'],
      '/w/r.WHALEMARK',
    ],
    ['one run from its source', ['electron', '.', 'result.json'], '/w/result.json'],
    ['several', ['whalemark', 'a.json', 'b.json'], '/w/b.json'],
  ])('of %s', (_, argv, file) => {
    expect(resultFileIn(argv, '/w')).toBe(resolve(file));
  });

  it.each([[['whalemark']], [['electron', '.']], [['x.json']], [['whalemark', '--result=x.json', 'x.png']]])(
    'is none in %j',
    (argv) => {
      expect(resultFileIn(argv, '/w')).toBeUndefined();
    },
  );
});

describe('a file that was given', () => {
  it('is handed out once, the last one', () => {
    const given = new GivenFile();
    given.give('/a.json');
    given.give('/b.json');
    given.give(undefined);
    expect(given.isWaiting).toBe(true);
    expect(given.take()).toBe('/b.json');
    expect(given.take()).toBeUndefined();
    expect(given.isWaiting).toBe(false);
  });

  it('comes by macOS’s event', () => {
    const app = new EventEmitter();
    const given = new GivenFile();
    const onGiven = vi.fn();
    receiveFiles(app as unknown as App, given, onGiven);
    const preventDefault = vi.fn();
    app.emit('open-file', { preventDefault }, '/Users/a/run.whalemark');
    expect(preventDefault).toHaveBeenCalled();
    expect(onGiven).toHaveBeenCalledOnce();
    expect(given.take()).toBe('/Users/a/run.whalemark');
  });
});

describe('a second start', () => {
  class FakeApp extends EventEmitter {
    isFree = true;
    handedOver: unknown;
    requestSingleInstanceLock(data: unknown): boolean {
      this.handedOver = data;
      return this.isFree;
    }
  }

  it('hands its file to the first', () => {
    const app = new FakeApp();
    const onSecond = vi.fn();
    expect(becomeOnlyInstance(app as unknown as App, onSecond)).toBe(true);
    app.emit('second-instance', {}, [], '/', { file: '/r.json' });
    app.emit('second-instance', {}, [], '/', { file: 7 });
    app.emit('second-instance', {}, [], '/', null);
    expect(onSecond.mock.calls).toEqual([['/r.json'], [undefined], [undefined]]);
  });
});
