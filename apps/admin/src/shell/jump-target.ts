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

/** The number of an import; undefined for anything else, like an article that begins with a zero. */
export function importNumber(typed: string): number | undefined {
  const text = typed.trim()
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

/** The page of an import leads on to the article of the same digits. */
export const importTarget = (id: number) => `/imports/${id}?${new URLSearchParams({ article: String(id) })}`

/**
 * A name is that thing, and so is the only one with this part: a price list before the storage, as both often have the
 * same name. Undefined: a product or an article.
 */
export function jumpTarget(typed: string, references: References): string | undefined {
  const text = typed.trim()
  const things = [
    ...references.price_lists.map((thing) => ({ ...thing, page: 'price-lists' })),
    ...references.storages.map((thing) => ({ ...thing, page: 'storages' })),
    ...references.pick_up_points.map((thing) => ({ ...thing, page: 'points' })),
  ]
  const wanted = text.toLocaleLowerCase()
  const same = things.find(({ name }) => name.toLocaleLowerCase() === wanted)
  const alike =
    wanted.length < SHORTEST_PART ? [] : things.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
  const lists = alike.filter(({ page }) => page === 'price-lists')
  const found = same ?? only(lists) ?? only(alike)
  return found && `/${found.page}/${encodeURIComponent(found.id)}`
}

const only = <Thing>(things: Thing[]): Thing | undefined => (things.length === 1 ? things[0] : undefined)

export const searchTarget = (typed: string) => `/search?${new URLSearchParams({ article: typed.trim() })}`
