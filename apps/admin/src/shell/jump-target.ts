/** Where the jump box leads. */
export interface References {
  storages: Named[]
  price_lists: Named[]
  pick_up_points: Named[]
}

interface Named {
  id: number | string
  name: string
}

/** Shorter parts of a name are no hint at it. */
const SHORTEST_PART = 3

/** A number is an import; a name, or the only one with this part, is that thing. Undefined: a product or an article. */
export function jumpTarget(typed: string, references: References | undefined): string | undefined {
  const text = typed.trim()
  if (/^\d{1,15}$/.test(text)) return `/imports/${Number(text)}`
  if (!references) return undefined
  const things = [
    ...references.price_lists.map((thing) => ({ ...thing, page: 'price-lists' })),
    ...references.storages.map((thing) => ({ ...thing, page: 'storages' })),
    ...references.pick_up_points.map((thing) => ({ ...thing, page: 'points' })),
  ]
  const wanted = text.toLocaleLowerCase()
  const same = things.find(({ name }) => name.toLocaleLowerCase() === wanted)
  const alike =
    wanted.length < SHORTEST_PART ? [] : things.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
  const found = same ?? (alike.length === 1 ? alike[0] : undefined)
  return found && `/${found.page}/${encodeURIComponent(found.id)}`
}

export const searchTarget = (typed: string) => `/search?${new URLSearchParams({ article: typed.trim() })}`
