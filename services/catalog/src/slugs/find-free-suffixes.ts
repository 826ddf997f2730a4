import { suffixedSlug } from './slug.js'

/** State of the search for one text: suffixes up to `taken` count as taken, `free` is the lowest known free one. */
interface Bounds {
  taken: number
  free: number
}

/** How far the first, the second and every later query looks ahead, as a power of two. */
const LOOK_AHEAD = [1, 4, 24]
/** Probes between the bounds in one query. */
const PROBES = 8

/**
 * The lowest free suffix of each text. Suffixes count up without gaps, so the boundary is found by doubling and then
 * bisecting: two queries for a few suffixes, about eight for a million, whatever the number of texts.
 * @param findTaken which of some slugs are taken
 */
export async function findFreeSuffixes(
  texts: readonly string[],
  findTaken: (slugs: string[]) => Promise<ReadonlySet<string>>,
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  let open = new Map<string, Bounds>(texts.map((text) => [text, { taken: 1, free: Infinity }]))
  for (let query = 0; open.size > 0; query += 1) {
    const probes = new Map([...open].map(([text, bounds]) => [text, nextProbes(bounds, query)]))
    const taken = await findTaken([...probes].flatMap(([text, numbers]) => numbers.map((n) => suffixedSlug(text, n))))
    const next = new Map<string, Bounds>()
    for (const [text, bounds] of open) {
      const narrowed = narrow(bounds, probes.get(text) ?? [], (number) => taken.has(suffixedSlug(text, number)))
      if (narrowed.free === narrowed.taken + 1) found.set(text, narrowed.free)
      else next.set(text, narrowed)
    }
    open = next
  }
  return found
}

function nextProbes({ taken, free }: Bounds, query: number): number[] {
  if (free === Infinity) {
    const reach = LOOK_AHEAD[Math.min(query, LOOK_AHEAD.length - 1)] ?? 0
    return Array.from({ length: reach + 1 }, (_, power) => taken + 2 ** power)
  }
  const step = Math.ceil((free - taken) / (PROBES + 1))
  const probes: number[] = []
  for (let number = taken + step; number < free; number += step) probes.push(number)
  return probes
}

function narrow({ taken, free }: Bounds, probes: readonly number[], isTaken: (number: number) => boolean): Bounds {
  let highest = taken
  for (const number of probes) {
    if (!isTaken(number)) return { taken: highest, free: number }
    highest = number
  }
  return { taken: highest, free }
}
