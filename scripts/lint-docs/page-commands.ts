import { Marked } from 'marked';

/** A command that a page shows, as it is executed. */
export interface PageCommand {
  /** Without its prompt and its remark, and with one name for the terminal twin; see `commandOf`. */
  command: string;
  /** A line of a block, which readers copy whole, or code within a sentence. */
  from: 'block' | 'text';
}

const SHELLS = new Set(['sh', 'bash', 'console', 'shell']);
/** Code within a sentence that is a command. */
const STARTS = /^(?:npm|npx|node|whalemark) \S/;

/** Every command of a page: each line of its shell blocks, and the code in its sentences that starts one of Whalemark's programs. */
export function commandsOf(markdown: string): PageCommand[] {
  const found: PageCommand[] = [];
  const marked = new Marked({ gfm: true });
  marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === 'code' && SHELLS.has(String(token['lang'] ?? '').trim())) {
      found.push(...linesOf(String(token['text'])).map((command) => ({ command, from: 'block' as const })));
    }
    if (token.type === 'codespan' && STARTS.test(String(token['text']))) {
      found.push({ command: commandOf(String(token['text'])), from: 'text' });
    }
  });
  return found;
}

function linesOf(block: string): string[] {
  return block
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map(commandOf)
    .filter((command) => command !== '');
}

/**
 * A shown line as it is executed: no prompt, no remark. From the source the terminal twin is `npm run whalemark --`; that is the
 * same command as the installed `whalemark`.
 */
function commandOf(line: string): string {
  return line
    .trim()
    .replace(/^\$ /, '')
    .replace(/(?:^|\s+)#\s.*$/, '')
    .replace(/^npm run whalemark --(?= |$)/, 'whalemark');
}
