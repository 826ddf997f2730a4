import type { PriceListSource } from '@partsbus/contracts/pricing-import/price-list'
import { HIDDEN } from '@partsbus/contracts/stock/storage'
import { contractViolation, type Violations } from '@partsbus/contracts/violation'
import type { SecretBox } from '@partsbus/platform/process/secret-box'
import { isSameFile, isSameLogin } from '../sources/source-identity.js'
import { sourceProblem } from '../sources/source-problem.js'
import type { StoredSource } from './price-list-record.js'

const EVERY_MINUTES = 60

/**
 * The sources of a list as they are stored, given as a whole: one with a known `id` is that source, one without is new.
 * The password `"***"` keeps the stored one, as long as it goes to the same server for the same user. A source that
 * names another file loses its fetch state.
 * @throws AppError CONTRACT_VIOLATION for an unknown id, `"***"` without a stored password, or a source that cannot be
 * fetched
 */
export function sealSources(given: PriceListSource[], stored: StoredSource[], secrets: SecretBox): StoredSource[] {
  const known = new Map(stored.map((source) => [source.id, source]))
  let next = Math.max(0, ...known.keys())
  const seen = new Set<number>()
  const violations: Violations = {}
  const sources = given.map((source, index) => {
    const {
      id: givenId,
      is_active = true,
      every_minutes = EVERY_MINUTES,
      password,
      last_run: _readOnly,
      ...rest
    } = source
    const before = givenId === undefined ? undefined : known.get(givenId)
    if (givenId !== undefined && (!before || seen.has(givenId)))
      violations[`sources.${index}.id`] = ['The selected id is invalid.']
    if (password === HIDDEN && (before?.sealed_password ?? null) === null)
      violations[`sources.${index}.password`] = ['The password has no stored value to keep.']
    else if (password === HIDDEN && before && !isSameLogin(before, rest))
      violations[`sources.${index}.password`] = [
        'The password must be sent again, because the address or the user name changed.',
      ]
    const problem = sourceProblem(source)
    if (problem) violations[`sources.${index}.${problem.field}`] = [problem.text]
    const id = givenId ?? (next += 1)
    seen.add(id)
    return {
      ...rest,
      id,
      is_active,
      every_minutes,
      sealed_password:
        password === undefined || password === ''
          ? null
          : password === HIDDEN
            ? (before?.sealed_password ?? null)
            : secrets.seal(password),
      state: before && isSameFile(before, rest) ? before.state : { last_run: before?.state.last_run ?? null },
    }
  })
  if (Object.keys(violations).length > 0) throw contractViolation(violations)
  return sources
}
