import { Marked } from 'marked';

export interface PageCommand {
  /** The command without its prompt and remark; see `commandOf`. */
  command: string;
  /** A line of a block, which readers copy whole, or code within a sentence. */
  from: 'block' | 'text';
}

const SHELLS = new Set(['sh', 'bash', 'console', 'shell']);
const STARTS = /^(?:npm|npx|node|whalemark) \S/;

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

/** A shown line as it is executed. `npm run whalemark --` becomes the installed `whalemark`. */
function commandOf(line: string): string {
  return line
    .trim()
    .replace(/^\$ /, '')
    .replace(/(?:^|\s+)#\s.*$/, '')
    .replace(/^npm run whalemark --(?= |$)/, 'whalemark');
}
