/**
 * All that a terminal may obey in place of showing it, and what turns the order of letters round; tabs and line ends
 * aside.
 */
const COMMANDS =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\r(?!\n)/g;
/** Where Unicode has pictures of control characters, and the one of DEL. */
const PICTURES = 0x2400;
const DEL = 0x7f;
const PICTURE_OF_DEL = '\u2421';

/**
 * Text for a terminal, with everything shown that would do something there: names, notes and lines of a server's log
 * come from strangers, and escape sequences in them could rewrite the screen, its title or, in some terminals, its
 * input.
 */
export function visible(text: string): string {
  return text.replace(COMMANDS, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(PICTURES + code);
    return code === DEL ? PICTURE_OF_DEL : escaped(code);
  });
}

/** JSON with the same characters escaped: other letters, the same data. */
export function visibleJson(value: unknown): string {
  // JSON itself escapes those below U+0020.
  return JSON.stringify(value, null, 2).replace(COMMANDS, (character) => escaped(character.charCodeAt(0)));
}

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
