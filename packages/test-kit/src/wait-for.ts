import { setTimeout as delay } from 'node:timers/promises'

/** Reads a state until it matches. @throws an error with the last state after the deadline */
export async function waitFor<T>(
  read: () => Promise<T>,
  matches: (state: T) => boolean,
  withinMs = 20_000,
  everyMs = 50,
): Promise<T> {
  const end = performance.now() + withinMs
  for (;;) {
    const state = await read()
    if (matches(state)) return state
    if (performance.now() >= end)
      throw new Error(`no match after ${withinMs} ms; the last state: ${JSON.stringify(state)?.slice(0, 2_000)}`)
    await delay(everyMs)
  }
}
