/** Milliseconds of the process-wide monotonic clock: the same in every thread, unlike `performance.now()`. */
export function nowMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
