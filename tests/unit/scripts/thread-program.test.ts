import { build } from 'vite';
import { expect, it } from 'vitest';
import { nodeEntry } from '../../../scripts/build/node-entry.mjs';

it('leaves packages out of what every connection thread loads', async () => {
  const config = nodeEntry({
    entry: 'src/benchmark/load/builtin/threads/thread-main.ts',
    outDir: 'unused',
    fileName: 'thread.cjs',
    target: 'node16',
  });
  const [output] = [await build({ ...config, build: { ...config.build, write: false } })].flat();
  const chunks = output !== undefined && 'output' in output ? output.output : [];
  const [program, ...others] = chunks;
  if (program?.type !== 'chunk') throw new Error('one program expected');
  expect(others).toEqual([]);
  expect(program.moduleIds.filter((id) => id.includes('node_modules'))).toEqual([]);
});
