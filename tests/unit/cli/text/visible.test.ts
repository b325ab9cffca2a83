import { describe, expect, it, vi } from 'vitest';
import {
  note,
  print,
  printError,
  printFile,
  printJson,
  visible,
  visibleJson,
} from '../../../../src/cli/text/terminal.ts';

/**
 * Sequences by which some terminals clear the screen, set the title, write to the clipboard, hide a line, or reverse
 * text.
 */
const EVIL = [
  '\u001b[2J',
  '\u001b]0;title\u0007',
  '\u001b]52;c;ZXZpbA==\u001b\\',
  '\u009b31m',
  'verdict: slower\rverdict: faster',
  '\u202egnp.exe',
  '\u2066x\u2069',
  '\b\b\b',
  '\u007f',
  '\u0000',
  '\u0090q\u009c',
];
const OBEYED = /[^\P{Cc}\n\t]|\p{Bidi_Control}/u;

/** Text that an action writes to a stream. */
function written(to: 'stdout' | 'stderr', act: () => void): string {
  const write = vi.spyOn(process[to], 'write').mockReturnValue(true);
  try {
    act();
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
  }
}

describe('text of strangers in a terminal', () => {
  it.each(EVIL)('%j is shown, not obeyed', (evil) => {
    expect(evil).toMatch(OBEYED);
    const error = { code: 'INTERNAL', message: evil, hint: evil, evidence: [evil], params: {} };
    const texts = [
      written('stdout', () => print(`name ${evil} end`)),
      written('stderr', () => note(`name ${evil} end`)),
      written('stderr', () => printError(error)),
      written('stdout', () => printJson({ [evil]: evil })),
    ];
    for (const text of texts) expect(text).not.toMatch(OBEYED);
    expect(texts[0]).toMatch(/^name .+ end\n$/);
  });

  it('shows control characters by their pictures, and others by their numbers', () => {
    expect(visible('a\u001b[31mb\u007f\u009b\u202e')).toBe('a␛[31mb␡\\u009b\\u202e');
  });

  it('leaves everything else as it is, line ends and every script', () => {
    const text = 'µs × 1.5 – “x”\n\ttab\r\n\n中文、Ελλάδα 🐳 ← …';
    expect(visible(text)).toBe(text);
  });

  it('is the same data in JSON', () => {
    expect(JSON.parse(visibleJson({ evil: EVIL, plain: '中文' }))).toEqual({ evil: EVIL, plain: '中文' });
  });

  it('goes unchanged into a file, but not into a terminal', () => {
    const { isTTY } = process.stdout;
    process.stdout.isTTY = false;
    expect(written('stdout', () => printFile('\u001b[2J'))).toBe('\u001b[2J\n');
    process.stdout.isTTY = true;
    expect(written('stdout', () => printFile('\u001b[2J'))).toBe('␛[2J\n');
    process.stdout.isTTY = isTTY;
  });
});
