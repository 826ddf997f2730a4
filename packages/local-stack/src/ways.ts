import type { Log } from './build-cache.js'
import { StackUnavailable } from './stack-unavailable.js'

/** How a server was had: by a URL from outside, as a container, from PATH, or built into the user's cache. */
export type Way = 'given' | 'docker' | 'path' | 'built'

export interface Attempt<Server> {
  way: Way
  /** `mongo:8 in Docker`, for messages. */
  what: string
  /** Why it cannot even be tried, or undefined. */
  whyNot: () => string | undefined | Promise<string | undefined>
  start: () => Promise<Server>
}

/**
 * Tries the ways in order and answers the first server that starts, and how it was had. Throws `StackUnavailable`
 * that lists every way with the reason it failed. `LOCAL_STACK` (docker, path or built) leaves only one way beside a given URL.
 */
export async function firstThatStarts<Server>(
  name: string,
  attempts: Attempt<Server>[],
  advice: string,
  log: Log,
): Promise<Server & { how: Way }> {
  const only = process.env.LOCAL_STACK
  const tried: string[] = []
  for (const attempt of attempts) {
    const leftOut =
      only && attempt.way !== 'given' && attempt.way !== only ? `left out by LOCAL_STACK=${only}` : undefined
    const reason = leftOut ?? (await attempt.whyNot()) ?? undefined
    if (reason !== undefined) {
      tried.push(`${attempt.what}: ${reason}`)
      continue
    }
    try {
      const server = await attempt.start()
      log(`${name}: ${attempt.what}`)
      return { ...server, how: attempt.way }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (attempt.way === 'given') throw new StackUnavailable(message)
      log(`${name}: ${attempt.what} failed, trying the next way`)
      tried.push(`${attempt.what}: ${message}`)
    }
  }
  throw new StackUnavailable(`No ${name} can be had. Tried:\n${tried.map((line) => `- ${line}`).join('\n')}\n${advice}`)
}
