import { setTimeout as delay } from 'node:timers/promises'

/** Asks again every `everyMs` until the answer is yes. Answers false when `withinMs` passed, or `signal` was aborted, before that. */
export async function waitUntil(
  isSo: () => boolean | Promise<boolean>,
  options: { withinMs: number; everyMs?: number; signal?: AbortSignal },
): Promise<boolean> {
  const end = Date.now() + options.withinMs
  for (;;) {
    if (options.signal?.aborted) return false
    if (await isSo()) return true
    if (Date.now() >= end) return false
    await delay(options.everyMs ?? 50)
  }
}
