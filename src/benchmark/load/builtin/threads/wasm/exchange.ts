/**
 * AssemblyScript, since threads share its compiled code. Answers are as in `AnswerReader`; packets must fit
 * into the input.
 */

@external("wasi_snapshot_preview1", "fd_read")
declare function fd_read(fd: i32, vectors: usize, count: i32, length: usize): i32;
@external("wasi_snapshot_preview1", "fd_write")
declare function fd_write(fd: i32, vectors: usize, count: i32, length: usize): i32;
@external("wasi_snapshot_preview1", "clock_time_get")
declare function clock_time_get(id: i32, precision: i64, time: usize): i32;
/** The end of a window, ns. */
@external("windows", "end")
declare function endOfWindow(position: i32): f64;

// Offsets and lengths: see shared-counts.ts.
@external("layout", "stop") declare const STOP: usize;
@external("layout", "windows") declare const WINDOWS: usize;
@external("layout", "windowCount") declare const WINDOW_COUNT: i32;
@external("layout", "windowBytes") declare const WINDOW_BYTES: usize;
@external("layout", "histograms") declare const HISTOGRAMS: usize;
@external("layout", "histogramBytes") declare const HISTOGRAM_BYTES: usize;
@external("layout", "errorCount") declare const ERROR_COUNT: usize;
@external("layout", "mark") declare const MARK: usize;
@external("layout", "edges") declare const EDGES: usize;
@external("layout", "system") declare const SYSTEM: usize;
@external("layout", "errors") declare const ERRORS: usize;
@external("layout", "times") declare const TIMES: usize;
@external("layout", "timesBytes") declare const TIMES_BYTES: usize;
@external("layout", "input") declare const INPUT: usize;
@external("layout", "inputBytes") declare const INPUT_BYTES: usize;

const ALL_SENT = 0;
const OVER = 1;
const REFUSED = 2;
const LOST = 3;
const UNREADABLE = 4;
const COUNTED = 5;

/** Bytes before a packet: length, kind of statement, end of transaction. */
const HEAD: usize = 4;
const NOT_TIMED: u32 = 0xff;

const OK: u32 = 0x00;
const LOCAL_INFILE: u32 = 0xfb;
const END: u32 = 0xfe;
const ERROR: u32 = 0xff;
const END_BELOW: u32 = 9;
const LONGEST: u32 = 0xffffff;
const MORE_RESULTS: u32 = 0x0008;

const SOCKET_IN = 0;
const SOCKET_OUT = 1;
const MONOTONIC = 1;
const INTERRUPTED = 27;

export let errorAt: usize = 0;
export let errorBytes: u32 = 0;
export let transactionAt: usize = 0;

let warmNs: i64 = 0;
let lastNs: i64 = 0;
let fromNs: i64 = 0;
let untilNs: i64 = 0;
let uncounted: f64 = 0;
let position: i32 = 0;
let windowEndNs: i64 = 0;
let kind: u32 = 0;
let isBetween: bool = true;
let beganNs: i64 = 0;
let sentNs: i64 = 0;
let reads: u32 = 0;
let writes: u32 = 0;
let others: u32 = 0;
let timesEnd: usize = 0;

let at: usize = 0;
let end: usize = 0;
let size: u32 = 0;
let first: u32 = 0;
let failure: i32 = 0;
let hasRows: bool = false;
let affected: u64 = 0;

export function begin(warmedNs: f64, endNs: f64): void {
  warmNs = <i64>warmedNs;
  lastNs = <i64>endNs;
  position = 0;
  windowEndNs = <i64>endOfWindow(0);
  timesEnd = TIMES;
  fromNs = untilNs = 0;
  uncounted = 0;
  if (now() >= warmNs) setFrom(now());
}

function setFrom(ns: i64): void {
  fromNs = ns;
  store<f64>(EDGES, <f64>ns);
}

export function run(from: usize, to: usize): i32 {
  sentNs = now();
  if (isBetween) beganNs = sentNs;
  let next = from;
  while (next < to) {
    if (isBetween) {
      transactionAt = next;
      if (atomic.load<u32>(STOP) != 0) return OVER;
    }
    const head = load<u32>(next);
    const length = head & 0xffff;
    kind = (head >>> 16) & 0xff;
    isBetween = false;
    if (!send(next + HEAD, length)) return LOST;
    next += HEAD + length;
    if (!answer()) return failure;
    if (hasRows) reads += 1;
    else if (affected > 0) writes += 1;
    else others += 1;
    if (head >>> 24 == 0) {
      endStatement();
      continue;
    }
    // The mark comes first, so that later ends belong to later windows.
    atomic.store<u32>(MARK, 1);
    endStatement();
    const isLast = fromNs > 0 && untilNs == 0 && sentNs >= lastNs;
    if (fromNs > 0 ? untilNs == 0 : sentNs < warmNs) count();
    else store<f64>(EDGES + 16, ++uncounted);
    if (fromNs == 0 && sentNs >= warmNs) setFrom(sentNs);
    if (isLast) {
      untilNs = sentNs;
      store<f64>(EDGES + 8, <f64>sentNs);
    }
    atomic.store<u32>(MARK, 0);
    reads = writes = others = 0;
    timesEnd = TIMES;
    memory.fill(ERRORS, 0, ERROR_COUNT * 4);
    beganNs = sentNs;
    isBetween = true;
    if (isLast) {
      transactionAt = next;
      return COUNTED;
    }
  }
  return ALL_SENT;
}

function endStatement(): void {
  const ended = now();
  if (kind != NOT_TIMED && timesEnd < TIMES + TIMES_BYTES) {
    store<u32>(timesEnd, <u32>((1 + kind) * <u32>HISTOGRAM_BYTES + 4 * bucketOf(microseconds(ended - sentNs))));
    timesEnd += 4;
  }
  sentNs = ended;
}

function count(): void {
  while (sentNs >= windowEndNs) windowEndNs = <i64>endOfWindow(++position);
  const window = WINDOWS + <usize>(position % WINDOW_COUNT) * WINDOW_BYTES;
  atomic.add<u32>(window, 1);
  atomic.add<u32>(window + 4, reads);
  if (writes > 0) atomic.add<u32>(window + 8, writes);
  if (others > 0) atomic.add<u32>(window + 12, others);
  for (let i: usize = 0; i < ERROR_COUNT; i++) {
    const errors = load<u32>(ERRORS + 4 * i);
    if (errors > 0) atomic.add<u32>(window + 16 + 4 * i, errors);
  }
  const histograms = window + HISTOGRAMS;
  atomic.add<u32>(histograms + 4 * bucketOf(microseconds(sentNs - beganNs)), 1);
  for (let time = TIMES; time < timesEnd; time += 4) atomic.add<u32>(histograms + load<u32>(time), 1);
}

function microseconds(ns: i64): u32 {
  return <u32>((ns + 500) / 1000);
}

/** The inverse of `valueOf` in shared-counts.ts. */
export function bucketOf(us: u32): u32 {
  if (us < 2048) return us;
  const shift = 21 - clz(us);
  return (shift << 10) + (us >>> shift);
}

function now(): i64 {
  clock_time_get(MONOTONIC, 0, SYSTEM);
  return load<i64>(SYSTEM);
}

function send(from: usize, length: u32): bool {
  let sent: u32 = 0;
  while (sent < length) {
    store<u32>(SYSTEM, <u32>from + sent);
    store<u32>(SYSTEM + 4, length - sent);
    const failed = fd_write(SOCKET_OUT, SYSTEM, 1, SYSTEM + 8);
    if (failed == INTERRUPTED) continue;
    if (failed != 0) return false;
    sent += load<u32>(SYSTEM + 8);
  }
  return true;
}

function answer(): bool {
  at = end = INPUT;
  hasRows = false;
  affected = 0;
  let status: u32;
  do {
    if (!packet()) return false;
    if (!need(size)) return false;
    if (first == LOCAL_INFILE) return failed(UNREADABLE);
    const packetEnd = at + size;
    if (first == OK) {
      at += 1;
      affected += integer();
      integer();
      if (at + 4 > packetEnd) return failed(UNREADABLE);
      status = load<u16>(at);
      at = packetEnd;
      continue;
    }
    hasRows = true;
    let definitions = integer();
    if (at > packetEnd) return failed(UNREADABLE);
    at = packetEnd;
    for (; definitions > 0; definitions--) if (!packet() || !skip(size)) return false;
    if (!packet()) return false;
    if (first != END) return failed(UNREADABLE);
    if (!skip(size)) return false;
    while (true) {
      if (!packet()) return false;
      if (first == END && size < END_BELOW) break;
      if (!skip(size)) return false;
    }
    if (size < 5) return failed(UNREADABLE);
    if (!need(size)) return false;
    status = load<u16>(at + 3);
    at += size;
  } while ((status & MORE_RESULTS) != 0);
  return at == end || failed(UNREADABLE);
}

/** `at` is then at the packet's first byte. */
function packet(): bool {
  if (!need(5)) return false;
  size = load<u32>(at) & 0xffffff;
  first = load<u8>(at + 4);
  at += 4;
  if (size == 0 || size == LONGEST) return failed(UNREADABLE);
  if (first != ERROR) return true;
  if (!need(size)) return false;
  errorAt = at;
  errorBytes = size;
  return failed(REFUSED);
}

function integer(): u64 {
  const one = <u32>load<u8>(at);
  at += 1;
  if (one < LOCAL_INFILE) return one;
  const bytes: usize = one == 0xfc ? 2 : one == 0xfd ? 3 : 8;
  let value: u64 = 0;
  for (let i: usize = bytes; i > 0; i--) value = (value << 8) | load<u8>(at + i - 1);
  at += bytes;
  return value;
}

function need(bytes: u32): bool {
  while (<u32>(end - at) < bytes) if (!read()) return false;
  return true;
}

function skip(bytes: u32): bool {
  let left = bytes;
  while (<u32>(end - at) < left) {
    left -= <u32>(end - at);
    at = end;
    if (!read()) return false;
  }
  at += left;
  return true;
}

function read(): bool {
  const kept = end - at;
  if (kept > 0) memory.copy(INPUT, at, kept);
  at = INPUT;
  end = INPUT + kept;
  if (kept == INPUT_BYTES) return failed(UNREADABLE);
  store<u32>(SYSTEM, <u32>end);
  store<u32>(SYSTEM + 4, <u32>(INPUT_BYTES - kept));
  let error: i32;
  do error = fd_read(SOCKET_IN, SYSTEM, 1, SYSTEM + 8);
  while (error == INTERRUPTED);
  const length = load<u32>(SYSTEM + 8);
  if (error != 0 || length == 0) return failed(LOST);
  end += length;
  return true;
}

function failed(how: i32): bool {
  failure = how;
  return false;
}
