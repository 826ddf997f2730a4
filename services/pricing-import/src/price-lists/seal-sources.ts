import type { PriceListSource } from '@partsbus/contracts/pricing-import/price-list-source'
import { HIDDEN } from '@partsbus/contracts/stock/storage'
import { ViolationList } from '@partsbus/contracts/violation'
import type { SecretBox } from '@partsbus/platform/process/secret-box'
import { isSameFile, isSameLogin } from '../sources/source-identity.js'
import { sourceProblem } from '../sources/source-problem.js'
import type { StoredSource } from './price-list-record.js'
import { sealPassword } from './source-password.js'

const EVERY_MINUTES = 60

/**
 * Checks the sources of a list, given as a whole.
 * @throws AppError CONTRACT_VIOLATION for an unknown id, `"***"` without a stored password or for another address, or
 * a source that cannot be fetched
 */
export function checkSources(given: PriceListSource[], stored: StoredSource[]): void {
  const known = new Map(stored.map((source) => [source.id, source]))
  const seen = new Set<number>()
  const violations = new ViolationList()
  given.forEach((source, index) => {
    const { id } = source
    const before = id === undefined ? undefined : known.get(id)
    const isUnknown = id !== undefined && (!before || seen.has(id))
    checkSource(violations, source, before, isUnknown, `sources.${index}.`)
    if (id !== undefined) seen.add(id)
  })
  violations.assertNone()
}

/** @param prefix of the paths */
export function checkSource(
  violations: ViolationList,
  source: PriceListSource,
  before: StoredSource | undefined,
  isUnknown: boolean,
  prefix = '',
): void {
  if (isUnknown) violations.set(`${prefix}id`, 'invalid', 'The selected id is invalid.')
  if (source.password === HIDDEN && (before?.sealed_password ?? null) === null)
    violations.set(`${prefix}password`, 'invalid', 'The password has no stored value to keep.')
  else if (source.password === HIDDEN && before && !isSameLogin(before, source))
    violations.set(`${prefix}password`, 'resend', 'The password must be sent again, because the address changed.')
  const problem = sourceProblem(source)
  if (problem) violations.set(`${prefix}${problem.field}`, 'invalid', problem.text)
}

/**
 * The sources of a list as they are stored, given as a whole: one with a known `id` is that source, one without is new.
 * The password `"***"` keeps the stored one, as long as it goes to the same server for the same user. A source that
 * names another file loses its fetch state.
 * @throws AppError as {@link checkSources}
 */
export function sealSources(
  given: PriceListSource[],
  stored: StoredSource[],
  secrets: SecretBox,
  listId: number,
): StoredSource[] {
  checkSources(given, stored)
  const known = new Map(stored.map((source) => [source.id, source]))
  let next = Math.max(0, ...known.keys())
  return given.map((source) => {
    const {
      id: givenId,
      is_active = true,
      every_minutes = EVERY_MINUTES,
      password = '',
      last_run: _readOnly,
      ...rest
    } = source
    const before = givenId === undefined ? undefined : known.get(givenId)
    const id = givenId ?? (next += 1)
    const kept = password === HIDDEN ? (before?.sealed_password ?? null) : null
    return {
      ...rest,
      id,
      is_active,
      every_minutes,
      sealed_password: password === '' || password === HIDDEN ? kept : sealPassword(secrets, password, listId, id),
      state: before && isSameFile(before, rest) ? before.state : { last_run: before?.state.last_run ?? null },
    }
  })
}
