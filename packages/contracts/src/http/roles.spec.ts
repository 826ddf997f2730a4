import { expect, it } from '@jest/globals'
import { adminPaths, adminRows } from './admin.js'
import type { Role } from './row.js'

/** Calls by the beginning of their path, the first that fits; what none fits is a defect (admin.md#roles). */
const rules: ReadonlyArray<[role: Role, call: RegExp]> = [
  ['nobody', /^GET \/sign-in$/],
  ['nobody', /^POST \/(session|invitation)$/],
  ['viewer', /^\w+ \/(session|sessions|sessions\/:id)$/],
  ['owner', /^\w+ \/administrators(\/|$)/],
  ['manager', /^GET \/audit$/],
  ['viewer', /^GET /],
  ['viewer', /^POST \/search\//],
  ['manager', /^(POST|PATCH|DELETE) \/price-lists(\/|$)/],
  ['manager', /^POST \/import-tasks\/:id\/(cancel|retry)$/],
  ['manager', /^POST \/media-jobs\/(:id\/)?retry$/],
  ['manager', /^(POST|PATCH|DELETE) \/(brand-synonyms|pick-up-points)(\/:id)?$/],
  ['manager', /^PATCH \/supplies\/:id$/],
  ['manager', /^POST \/storages\/:id\/in-search$/],
  ['owner', /^(POST|PATCH|DELETE) \/storages(\/|$)/],
  ['owner', /^(PATCH|POST|DELETE) \/settings(\/(erp|b2b)-token)?$/],
]

it.each(adminPaths)('%s needs the role of the specification', (path) => {
  const [role] = rules.find(([, call]) => call.test(path)) ?? []
  expect(adminRows[path].role).toBe(role)
})
