import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { Volumes } from '../../../../../src/benchmark/runtime/engine/volumes.ts';
import { httpEngine } from './http-engine.ts';

const volume = (Name: string, Size: number) => ({ Name, Driver: 'local', UsageData: { RefCount: 1, Size } });
const all = [volume('other', 1), volume('db', 4096), volume('unknown', -1)];
let answer: object = {};
let asked = '';
const engine = httpEngine(
  createServer((request, response) => {
    asked = request.url ?? '';
    response.end(JSON.stringify(answer));
  }),
);

it.each([
  ['up to API 1.51', { LayersSize: 5, Images: [], Containers: [], Volumes: all, BuildCache: [] }],
  ['since API 1.52', { VolumeUsage: { TotalVolumes: 3, TotalSize: 4097, Items: all } }],
])('the size of a volume is known %s', async (_, said) => {
  answer = said;
  const volumes = new Volumes(engine.client());
  expect(await volumes.bytes('db')).toBe(4096);
  expect(asked).toBe('/system/df?type=volume&verbose=true');
  expect(await volumes.bytes('unknown')).toBeUndefined();
  expect(await volumes.bytes('missing')).toBeUndefined();
});
