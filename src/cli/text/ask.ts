import { createInterface } from 'node:readline';

export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Enter, Ctrl+C, Ctrl+D, and a closed terminal mean no. */
export async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await new Promise<string>((resolve) => {
      terminal.on('close', () => resolve(''));
      terminal.on('SIGINT', () => resolve(''));
      terminal.question(`${question} [y/N] `, resolve);
    });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
