/** A longer price, quantity or delivery time is not understood (rules.md#reading). */
export const MAX_READ_CELL = 100

/** Lower case with single spaces, so that patterns need no repeated white space, which makes them slow. */
export function cellWords(cell: string): string {
  return cell.trim().toLowerCase().replace(/\s+/g, ' ')
}
