import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiClient, type ApiResponse } from './api-client.js'

/** The outcome of a request: its status, or 0 when its connection broke. */
export interface Outcome {
  status: number
  retryAfter: string | undefined
  ms: number
}

export type Send = (turn: number) => Promise<ApiResponse>

/** A client of the same API without a limit of connections. */
export function wideClient(base: string, token: string): ApiClient {
  return new ApiClient(base, { authorization: `Bearer ${token}` }, new Agent({ keepAlive: true, maxSockets: Infinity }))
}

async function outcomeOf(send: Send, turn: number): Promise<Outcome> {
  const startedAt = performance.now()
  const answer = await send(turn).catch(() => undefined)
  return {
    status: answer?.status ?? 0,
    retryAfter: answer?.headers['retry-after']?.toString(),
    ms: performance.now() - startedAt,
  }
}

/** `width` requests in flight at all times, for so long. */
export async function closedLoop(send: Send, width: number, ms: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const end = performance.now() + ms
  const worker = async (first: number) => {
    for (let turn = first; performance.now() < end; turn += width) outcomes.push(await outcomeOf(send, turn))
  }
  await Promise.all(Array.from({ length: width }, (_, index) => worker(index)))
  return outcomes
}

/** Sends requests at a fixed rate, whether or not they are answered. @returns all outcomes */
export async function openLoop(send: Send, perSecond: number, ms: number): Promise<Outcome[]> {
  const outcomes: Promise<Outcome>[] = []
  for (const start = performance.now(); performance.now() < start + ms; await delay(5)) {
    const due = ((performance.now() - start) * perSecond) / 1_000
    while (outcomes.length < due) outcomes.push(outcomeOf(send, outcomes.length))
  }
  return Promise.all(outcomes)
}

/** One request after another, with pauses, while `work` is under way; at least one. */
export async function probe(send: Send, everyMs: number, work: Promise<unknown>): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let isOver = false
  const over = work.finally(() => (isOver = true))
  do {
    outcomes.push(await outcomeOf(send, outcomes.length))
    await delay(everyMs)
  } while (!isOver)
  await over
  return outcomes
}

export const good = (outcomes: Outcome[]): Outcome[] => outcomes.filter(({ status }) => status === 200)
export const refused = (outcomes: Outcome[]): Outcome[] =>
  outcomes.filter(({ status, retryAfter }) => status === 503 && Number(retryAfter) >= 1)
/** Statuses other than 200 and a refusal with Retry-After; 0 is a broken connection. */
export const failures = (outcomes: Outcome[]): number[] => {
  const fine = new Set([...good(outcomes), ...refused(outcomes)])
  return outcomes.filter((one) => !fine.has(one)).map(({ status }) => status)
}
export const medianMs = (outcomes: Outcome[]): number =>
  outcomes.map(({ ms }) => ms).toSorted((one, other) => one - other)[outcomes.length >> 1] ?? Infinity
