/*
 * The `_id` of an offer: version × 2^24 + place. The place is the row of the file (1 … 5,000,000), or from 2^23 on the
 * place of an offer that a merge took over. So a row that is written twice is written once, rows of a version lie
 * together, and no second index is needed to delete them. A double holds it exactly up to version 2^29.
 */
const PLACES = 2 ** 24

/** The first place of what a merge takes over, and how many it can take over. */
export const FIRST_COPY = 2 ** 23
export const MAX_COPIES = PLACES - FIRST_COPY

export function offerId(version: number, place: number): number {
  return version * PLACES + place
}

/** The place in an `_id`. */
export function placeOf(id: number): number {
  return id % PLACES
}

/** Filter on `_id` for all offers of a version, or those that a merge took over. */
export function idRange(version: number, from = 0): { $gte: number; $lt: number } {
  return { $gte: version * PLACES + from, $lt: (version + 1) * PLACES }
}
