import { setTimeout as delay } from 'node:timers/promises'

/**
 * Checks every `everyMs` until the condition is true. @returns false when `withinMs` has passed or `signal` was aborted
 */
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
