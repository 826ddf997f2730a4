import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchProduct, makeProducts } from '../clients/catalogue.js'
import type { Call, RunningPeer, Work } from './peer.js'
import { type ByPart, processorTime, watchMemory } from './process-trees.js'

/** One pass over the products, created or changed. */
export interface Pass {
  products: number
  ms: number
  /** Processor time in ms, without what the idle peer uses. */
  processor: ByPart
}

export interface Measurement {
  created: Pass
  changed: Pass
  /** Peak in MB during both passes. */
  memory: ByPart
}

const PRODUCTS = 10_000
/** Work in the background after an answer is a part of its cost. */
const REST_MS = 1_000
const IDLE_MS = 2_000
const IDLE_SAMPLES = 4
const WARM_UP_MS = 4_000
/** Sellable products for stock are written in calls of this size. */
const PREPARE_SIZE = 200
/** Apart from the products that are measured. */
const FIRST_OF_WARM_UP = 50_000

/**
 * Processor time of the idle peer, in ms for each ms: the least of several samples, because a server that has just
 * started still works, and what it does then is no part of later passes.
 */
export async function idleLoad(peer: RunningPeer): Promise<ByPart> {
  let least: ByPart = {}
  for (let turn = 0; turn < IDLE_SAMPLES; turn += 1) {
    const [before, start] = [processorTime(peer), performance.now()]
    await sleep(IDLE_MS)
    const elapsed = performance.now() - start
    const load = combine(processorTime(peer), before, (after, earlier) => (after - earlier) / elapsed)
    least = turn === 0 ? load : combine(load, least, Math.min)
  }
  return least
}

/**
 * Creates 10,000 products and changes each of them, one call at a time. A pass that reaches its limit ends with fewer;
 * only what was created is changed.
 * @param first number of the first product; the peer has none of the 100,000 from there on
 */
export async function measureWork(
  peer: RunningPeer,
  work: Work,
  size: number,
  { first, idle, limitMs }: { first: number; idle: ByPart; limitMs: number },
): Promise<Measurement> {
  await warmUp(work, size, first + FIRST_OF_WARM_UP)
  let count = PRODUCTS
  if (work.prepare) count = await sendAll(makeCalls(work.prepare, first, count, 0, PREPARE_SIZE), 3 * limitMs)
  // whole calls only, where there is one
  if (count > size) count -= count % size
  const memory = watchMemory(peer)
  const created = await measurePass(peer, makeCalls(work.create, first, count, 0, size), idle, limitMs)
  const changed = await measurePass(peer, makeCalls(work.change, first, created.products, 1, size), idle, limitMs)
  return { created, changed, memory: memory.stop() }
}

async function warmUp(work: Work, size: number, first: number): Promise<void> {
  const count = 2 * size
  if (work.prepare) await sendAll(makeCalls(work.prepare, first, count, 0, PREPARE_SIZE), Number.POSITIVE_INFINITY)
  const created = await sendAll(makeCalls(work.create, first, count, 0, size), WARM_UP_MS)
  await sendAll(makeCalls(work.change, first, created, 1, size), WARM_UP_MS)
}

interface PreparedCall {
  items: number
  send: () => Promise<void>
}

function makeCalls(call: Call, first: number, count: number, version: number, size: number): PreparedCall[] {
  return Array.from({ length: Math.ceil(count / size) }, (_, at) => {
    const items: BenchProduct[] = makeProducts(first + at * size, Math.min(size, count - at * size), version)
    return { items: items.length, send: call(items) }
  })
}

/** One call at a time, until all are sent or the limit is reached. @returns the number of items sent */
async function sendAll(calls: PreparedCall[], limitMs: number): Promise<number> {
  const start = performance.now()
  let sent = 0
  for (const { items, send } of calls) {
    await send()
    sent += items
    if (performance.now() - start > limitMs) break
  }
  return sent
}

async function measurePass(peer: RunningPeer, calls: PreparedCall[], idle: ByPart, limitMs: number): Promise<Pass> {
  const [before, start] = [processorTime(peer), performance.now()]
  const products = await sendAll(calls, limitMs)
  const ms = performance.now() - start
  await sleep(REST_MS)
  const elapsed = performance.now() - start
  const used = combine(processorTime(peer), before, (after, earlier) => after - earlier)
  return { products, ms, processor: combine(used, idle, (one, load) => Math.max(0, one - load * elapsed)) }
}

function combine(one: ByPart, other: ByPart, how: (a: number, b: number) => number): ByPart {
  const parts = Object.keys(one) as Array<keyof ByPart>
  return Object.fromEntries(parts.map((part) => [part, how(one[part] ?? 0, other[part] ?? 0)]))
}
