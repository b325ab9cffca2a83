import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  FIRST_SIZE,
  placementFor,
  readWindowState,
  writeWindowState,
  type WindowState,
} from '../../../../src/main/window/window.ts';
import { newFolder } from '../../../helpers/folders.ts';

vi.mock('electron', () => ({}));

const laptop = { x: 0, y: 25, width: 1440, height: 875 };
const left = { x: -1920, y: 0, width: 1920, height: 1080 };

const at = (x: number, y: number, width = 1000, height = 700): WindowState => ({
  bounds: { x, y, width, height },
  maximised: false,
});

describe('where the window opens', () => {
  it('is the system’s choice the first time', () => {
    expect(placementFor(undefined, [laptop])).toEqual(FIRST_SIZE);
  });

  it('is never larger than the display', () => {
    expect(placementFor(undefined, [{ x: 0, y: 0, width: 1024, height: 640 }])).toEqual({
      width: 1024,
      height: 640,
    });
    expect(placementFor(at(0, 25, 3000, 2000), [laptop])).toEqual({ x: 0, y: 25, width: 1440, height: 875 });
  });

  it('is where it was', () => {
    expect(placementFor(at(120, 80), [laptop])).toEqual({ x: 120, y: 80, width: 1000, height: 700 });
    expect(placementFor(at(-1500, 80), [laptop, left])).toEqual({
      x: -1500,
      y: 80,
      width: 1000,
      height: 700,
    });
  });

  it.each([
    ['on a display that is gone', at(-1500, 80)],
    ['so far right that nobody can take hold of it', at(1400, 80)],
    ['so far left that nobody can take hold of it', at(-960, 80)],
    ['with its title above the display', at(100, -40)],
    ['with its title below the display', at(100, 890)],
  ])('is not where it was when that was %s', (_, saved) => {
    expect(placementFor(saved, [laptop])).toEqual({ width: 1000, height: 700 });
  });

  it('is never smaller than it can be used', () => {
    expect(placementFor(at(10, 30, 20, 20), [laptop])).toMatchObject({ width: 640, height: 480 });
  });

  it('is decided without any display, too', () => {
    expect(placementFor(at(10, 30), [])).toEqual({ width: 1000, height: 700 });
  });
});

describe('what is remembered', () => {
  let folder: string;
  beforeEach(() => (folder = newFolder()));

  it('comes back as it was', () => {
    const path = join(folder, 'new', 'window.json');
    writeWindowState(path, { bounds: { x: 1, y: 2, width: 800, height: 600 }, maximised: true });
    expect(readWindowState(path)).toEqual({
      bounds: { x: 1, y: 2, width: 800, height: 600 },
      maximised: true,
    });
  });

  it.each([
    '',
    '{',
    '{"bounds":{"x":1}}',
    '{"bounds":{"x":1,"y":2,"width":-3,"height":4},"maximised":false}',
  ])('is nothing when the file says “%s”', (text) => {
    const path = join(folder, 'window.json');
    writeFileSync(path, text);
    expect(readWindowState(path)).toBeUndefined();
  });

  it('is nothing without a file, and failing to write it bothers nobody', () => {
    expect(readWindowState(join(folder, 'none.json'))).toBeUndefined();
    writeFileSync(join(folder, 'file'), '');
    writeWindowState(join(folder, 'file', 'window.json'), at(1, 2));
  });
});
