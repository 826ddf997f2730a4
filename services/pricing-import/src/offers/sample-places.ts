/** A range of places of a version, both ends included (see offer-id.ts). */
export interface PlaceRange {
  from: number
  to: number
  /** only its first offers are read */
  isSample?: boolean
}

/** Coprime with the number of parts, so that the first parts are spread over the whole version, too. */
const STEP = 37

/** Divides ranges of places into parts of equal size, in an order in which any first ones are spread over all. */
export function samplePlaces(ranges: readonly PlaceRange[], parts: number): PlaceRange[] {
  const size = ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  const each = Math.ceil(size / parts)
  const divided = ranges.flatMap(({ from, to }) =>
    Array.from({ length: Math.ceil((to - from + 1) / each) }, (_, index) => ({
      from: from + index * each,
      to: Math.min(to, from + (index + 1) * each - 1),
      isSample: true,
    })),
  )
  const step = divided.length % STEP === 0 ? 1 : STEP
  return divided.map((_, index) => divided[(index * step) % divided.length]).filter((part) => part !== undefined)
}
