import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import type { Db } from 'mongodb'
import { SessionStore } from './sessions/session-store.js'
import { SettingsStore } from './settings/settings-store.js'

const never = () => new Promise<never>(() => undefined)
/** Accepts commands and answers none. */
const frozen = {
  command: never,
  collection: () => ({ findOne: never, find: () => ({ toArray: never }) }),
} as unknown as Db

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

it.each([
  ['settings', () => new SettingsStore(frozen).read()],
  ['a session', () => new SessionStore(frozen).findOpen('digest')],
  ['sessions', () => new SessionStore(frozen).findAllOpen(['digest'])],
])('a frozen database holds up the reading of %s for two seconds', async (_what, read) => {
  const reading = expect(read()).rejects.toMatchObject({ code: 'OVERLOADED' })
  await jest.advanceTimersByTimeAsync(2_200)
  await reading
})
