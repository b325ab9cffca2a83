import type { OltpKind } from '../../../shared/kinds/mixes.ts';
import * as z from 'zod';
import { parseLine } from '../client/protocol.ts';

export const RECORD_PREFIX = '@whalemark ';

/**
 * Each record is one write to a locked stream. sysbench 1.0.20 sums its histogram before
 * `report_intermediate` and clears it before `report_cumulative`, so the last thread prints it again.
 * `freshness` replaces the end of column c: a repeated seed would update rows to their own values.
 */
export function sysbenchScript(kind: OltpKind, freshness: string): string {
  return `require("${kind}")

local ffi = require("ffi")
ffi.cdef[[
typedef struct {
  uint64_t *sums; uint64_t events; uint64_t *scratch; uint64_t **parts;
  size_t size; double lowest; double highest;
} whalemark_histogram;
extern whalemark_histogram sb_latency_histogram;
double sb_histogram_get_pct_intermediate(whalemark_histogram *histogram, double percentile);
void *calloc(size_t count, size_t size);
int setenv(const char *name, const char *value, int overwrite);
]]
local latencies = ffi.C.sb_latency_histogram

local function tell(kind, format, ...)
  io.stdout:write('${RECORD_PREFIX}{"type":"' .. kind .. '",' .. string.format(format, ...) .. '}\\n')
end

local function buckets()
  local found = {}
  for index = 0, 1023 do
    local count = tonumber(latencies.sums[index])
    if count > 0 then found[#found + 1] = string.format("[%d,%d]", index, count) end
  end
  return '"buckets":[' .. table.concat(found, ",") .. ']'
end

local function counts(stat)
  return string.format('"seconds":%.9f,"transactions":%d,"reads":%d,"writes":%d,"other":%d',
    stat.time_interval, stat.events, stat.reads, stat.writes, stat.other)
end

local function set_template(of, name)
  for index = 1, 60 do
    local found, value = debug.getupvalue(of, index)
    if found == nil then error("no " .. name .. " in this sysbench") end
    if found == name then
      debug.setupvalue(of, index, (value:gsub("#+$", "${freshness}")))
      return
    end
  end
end
set_template(get_c_value, "c_value_template")

-- Threads have Lua states of their own; which of them are done is kept in memory that all can see.
local DONE = "WHALEMARK_THREADS_DONE"
local stock = { init = init, thread_init = thread_init, thread_done = thread_done,
  restart = sysbench.hooks.before_restart_event }

function init()
  stock.init()
  if tonumber(latencies.size) ~= 1024 or latencies.lowest ~= 0.001 or latencies.highest ~= 100000 then
    error("this sysbench keeps latencies otherwise than 1.0.20")
  end
  local done = ffi.cast("uintptr_t", ffi.C.calloc(sysbench.opt.threads, 1))
  ffi.C.setenv(DONE, string.format("%.0f", tonumber(done)), 1)
end

function thread_init(thread)
  stock.thread_init(thread)
  tell("connected", '"cpu":%.6f', os.clock())
end

function thread_done(thread)
  local done = ffi.cast("volatile uint8_t *", ffi.cast("uintptr_t", tonumber(os.getenv(DONE))))
  done[thread] = 1
  -- It talks to the server, so the flag is seen everywhere before the others are looked at.
  stock.thread_done(thread)
  for other = 0, sysbench.opt.threads - 1 do
    if done[other] == 0 then return end
  end
  ffi.C.sb_histogram_get_pct_intermediate(latencies, 95)
  tell("latencies", "%s", buckets())
end

function sysbench.hooks.before_restart_event(problem)
  tell("retried", '"code":%d', problem.sql_errno)
  if stock.restart then stock.restart(problem) end
end

function sysbench.hooks.report_intermediate(stat)
  tell("interval", "%s,%s", counts(stat), buckets())
end

function sysbench.hooks.report_cumulative(stat)
  tell("total", '%s,"cpu":%.6f,"minUs":%.3f,"meanUs":%.3f,"maxUs":%.3f', counts(stat), os.clock(),
    stat.latency_min * 1e6, stat.latency_avg * 1e6, stat.latency_max * 1e6)
end
`;
}

const count = z.number().int().min(0);
/** Seconds that fit a number as milliseconds, too. */
const seconds = z.number().min(0).max(1e9);
/** Without transactions sysbench prints its largest number. */
const microseconds = z.number().min(0).max(1e20);

const buckets = z.array(z.tuple([z.number().int().min(0).max(1023), count]));
export type Buckets = z.infer<typeof buckets>;

const counts = {
  seconds,
  transactions: count,
  reads: count,
  writes: count,
  other: count,
};
export type Figures = z.infer<z.ZodObject<typeof counts>>;

const recordSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('connected'), cpu: seconds }),
  z.object({ type: z.literal('retried'), code: z.number().int() }),
  z.object({ type: z.literal('interval'), ...counts, buckets }),
  z.object({ type: z.literal('latencies'), buckets }),
  z.object({
    type: z.literal('total'),
    ...counts,
    cpu: seconds,
    minUs: microseconds,
    meanUs: microseconds,
    maxUs: microseconds,
  }),
]);
export type SysbenchRecord = z.infer<typeof recordSchema>;
export type Total = Extract<SysbenchRecord, { type: 'total' }>;

export function readRecord(line: string): SysbenchRecord | undefined {
  return line.startsWith(RECORD_PREFIX)
    ? parseLine(recordSchema, line.slice(RECORD_PREFIX.length))
    : undefined;
}
