/** Milliseconds of a monotonic clock that all threads share, unlike `performance.now()`. */
export function nowMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
