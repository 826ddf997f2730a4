import { brandKey } from '@partsbus/contracts/article'
import { contractViolation, type Violations } from '@partsbus/contracts/violation'
import type { SupplierSearchContext } from '../context.js'
import { keysOf, type SynonymGroup } from './brand-names.js'

type Fields = Omit<SynonymGroup, 'id'>

/** Synonyms as they are stored: each once. */
export function distinct({ canonical, synonyms }: Fields): Fields {
  return { canonical, synonyms: [...new Set(synonyms)] }
}

/**
 * A spelling belongs to one group only (admin.md#brand-synonyms), however it is written.
 * @param id of the group itself, which may hold them already
 * @throws AppError CONTRACT_VIOLATION that names each spelling and the group that holds it
 */
export async function checkSpellings(ctx: SupplierSearchContext, fields: Fields, id?: number): Promise<void> {
  const others = (await ctx.synonyms.groupsOf(keysOf(fields))).filter((group) => group.id !== id)
  const holders = new Map(others.flatMap((group) => keysOf(group).map((key) => [key, group] as const)))
  const violations: Violations = {}
  for (const [path, spelling] of [
    ['canonical', fields.canonical],
    ...fields.synonyms.map((each, at) => [`synonyms.${at}`, each]),
  ] as Array<[string, string]>) {
    const key = brandKey(spelling)
    const holder = holders.get(key)
    if (key === '') violations[path] = [`The ${path} must hold more than quotes.`]
    else if (holder)
      violations[path] = [`The spelling "${spelling}" already belongs to the group ${holder.id} "${holder.canonical}".`]
  }
  if (Object.keys(violations).length > 0) throw contractViolation(violations)
}
