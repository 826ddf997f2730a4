import { AppError, texts } from '@partsbus/contracts/app-error'
import { MAX_BODY_BYTES } from '@partsbus/contracts/message'

/**
 * One row for each id, in the order sent. Each item arrived in one message of the bus once; an id that is repeated
 * would multiply it.
 * @throws AppError TOO_LARGE when the rows together are larger than one message
 */
export function inOrderSent<Row>(ids: readonly string[], toRow: (id: string) => Row): Row[] {
  const rows = new Map<string, Row>()
  const known = (id: string): Row => {
    const row = rows.get(id) ?? toRow(id)
    rows.set(id, row)
    return row
  }
  const all = ids.map(known)
  if (rows.size === ids.length) return all
  const bytes = new Map([...rows].map(([id, row]) => [id, Buffer.byteLength(JSON.stringify(row))]))
  const total = ids.reduce((sum, id) => sum + (bytes.get(id) ?? 0), 0)
  if (total > MAX_BODY_BYTES) throw new AppError('TOO_LARGE', texts.replyTooLarge)
  return all
}
