import { MAX_BODY_BYTES } from '@partsbus/contracts/message'

/** Kept for what stands around the rows. */
const RESERVE = 64 * 1024

/**
 * The first of these rows that fit into one message of the bus; those behind them are left out.
 * @param largest bytes that no row is larger than, so that few rows need not be measured
 */
export function fitMessage<Row>(rows: readonly Row[], largest: number): readonly Row[] {
  const room = MAX_BODY_BYTES - RESERVE
  if (rows.length * largest <= room) return rows
  let bytes = 0
  for (const [at, row] of rows.entries()) {
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1
    if (bytes > room) return rows.slice(0, at)
  }
  return rows
}
