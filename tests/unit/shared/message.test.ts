import { expect, it } from 'vitest';
import { fill } from '../../../src/shared/message.ts';

it.each([
  ['{{path}}: There is no such file.', '../nope.yaml', '../nope.yaml: There is no such file.'],
  ['“{{path}}” is no address.', 'unix://../../x', '“unix://../../x” is no address.'],
  ['Not read: {{path}}.', 'It is a folder.', 'Not read: It is a folder.'],
  ['未读取：{{path}}。', '这是文件夹。', '未读取：这是文件夹。'],
  ['Not read: {{path}}.', 'wait...', 'Not read: wait....'],
  ['{{path}} Try again.', 'It failed.', 'It failed. Try again.'],
])('puts a value into “%s” with one full stop where they meet', (template, path, filled) => {
  expect(fill(template, { path })).toBe(filled);
});
