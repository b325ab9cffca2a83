import { expect, it } from 'vitest';
import { commandWords } from '../../../../src/main/requests/command-line.ts';

it.each([
  ['php artisan migrate --seed', ['php', 'artisan', 'migrate', '--seed']],
  ['  npm   run\tseed ', ['npm', 'run', 'seed']],
  [`sh -c 'a | b && echo "$HOME"'`, ['sh', '-c', 'a | b && echo "$HOME"']],
  [`node -e "console.log(\\"a b\\")" ''`, ['node', '-e', 'console.log("a b")', '']],
  [`--name='it'\\''s' a\\ b "\\$5"`, ["--name=it's", 'a b', '$5']],
  ['echo 5$ "100 %"', ['echo', '5$', '100 %']],
])('reads %s as a shell does', (line, words) => {
  expect(commandWords(line, 'linux')).toEqual(words);
});

it('keeps the backslashes of a Windows path', () => {
  expect(commandWords(String.raw`C:\php\php.exe "C:\my app\run.php"`, 'win32')).toEqual([
    String.raw`C:\php\php.exe`,
    String.raw`C:\my app\run.php`,
  ]);
});

it.each([
  `echo 'open`,
  'echo "open',
  'a | b',
  'a > b.txt',
  'a && b',
  'a; b',
  'echo $HOME',
  'echo "$HOME"',
  'echo `date`',
  '',
  '  ',
])('refuses %s, which it can’t start without a shell', (line) => {
  expect(() => commandWords(line, 'linux')).toThrow(expect.objectContaining({ code: 'COMMAND_UNREADABLE' }));
});
