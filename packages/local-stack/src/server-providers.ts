import type { Log } from './build-cache.ts'
import { StackUnavailable } from './stack-unavailable.ts'

/** Where a server comes from: an external URL, a container, PATH, or a build in the user's cache. */
export type Provider = 'external' | 'docker' | 'path' | 'built'

export interface Attempt<Server> {
  provider: Provider
  /** `mongo:8.0 in Docker`, for messages. */
  what: string
  /** Why it cannot be tried, or undefined. */
  unavailableReason: () => string | undefined | Promise<string | undefined>
  start: () => Promise<Server>
}

/**
 * Tries the providers in order. `LOCAL_STACK` (docker, path or built) limits them to one, besides an external URL.
 * @returns the first server that starts, and its provider
 * @throws StackUnavailable with the reason why each provider failed
 */
export async function startFirstAvailable<Server>(
  name: string,
  attempts: Attempt<Server>[],
  advice: string,
  log: Log,
): Promise<Server & { how: Provider }> {
  const only = process.env.LOCAL_STACK
  const tried: string[] = []
  for (const attempt of attempts) {
    const excluded =
      only && attempt.provider !== 'external' && attempt.provider !== only
        ? `excluded by LOCAL_STACK=${only}`
        : undefined
    const reason = excluded ?? (await attempt.unavailableReason()) ?? undefined
    if (reason !== undefined) {
      tried.push(`${attempt.what}: ${reason}`)
      continue
    }
    try {
      const server = await attempt.start()
      log(`${name}: ${attempt.what}`)
      return { ...server, how: attempt.provider }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (attempt.provider === 'external') throw new StackUnavailable(message)
      log(`${name}: ${attempt.what} failed, trying the next one`)
      tried.push(`${attempt.what}: ${message}`)
    }
  }
  throw new StackUnavailable(
    `No ${name} is available. Tried:\n${tried.map((line) => `- ${line}`).join('\n')}\n${advice}`,
  )
}
