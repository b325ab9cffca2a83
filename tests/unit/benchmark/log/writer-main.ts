import { RotatingFile } from '../../../../src/benchmark/log/rotating-file.ts';

/** A process that writes lines into a file that others write into as well: `writer-main FILE NAME LINES MAX_BYTES`. */
const [file = '', name = '', lines = '0', maxBytes = '0'] = process.argv.slice(2);
const log = new RotatingFile(file, (lost) => `lost ${lost}`, { maxBytes: Number(maxBytes), files: 10_000 });
for (let index = 0; index < Number(lines); index++) {
  log.append(`${name} ${index} ${'x'.repeat(20 + (index % 50))} end`);
}
