import { pickCallSettings, type Settings, type SettingsPatch } from '@partsbus/contracts/administration/settings'
import { contractViolation } from '@partsbus/contracts/violation'

/** Bytes of the settings as JSON: they go with each call, in the room that a message has beside its body. */
const MAX_CARRIED_BYTES = 16 * 1024

const LISTS = ['media_allowed_hosts', 'storages_for_crosses'] as const

/**
 * @throws AppError CONTRACT_VIOLATION when a patch makes what goes with each call too long (admin.md#settings-patch)
 */
export function assertCarriable(stored: Settings, patch: SettingsPatch): void {
  const lists = LISTS.filter((name) => patch[name] !== undefined)
  if (lists.length === 0) return
  const size = bytes(pickCallSettings({ ...stored, ...patch }))
  // a list of an earlier release may be shortened step by step
  if (size <= MAX_CARRIED_BYTES || size <= bytes(pickCallSettings(stored))) return
  const name = lists.toSorted((a, b) => bytes(patch[b]) - bytes(patch[a]))[0] ?? ''
  const text = `The ${name} is too long: it takes the settings that go with each call above ${MAX_CARRIED_BYTES} bytes.`
  throw contractViolation({ [name]: [text] }, 'max')
}

function bytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
