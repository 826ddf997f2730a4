import { AnswerError } from './answer-error.js'

export interface BatchLimits {
  /** items of a batch; 1,000 unless given, and fewer once the gateway has named its own limit */
  maxItems?: number
  /** the limit of the gateway, when a batch was refused for it and is split */
  onLimit?: (maxItems: number) => void
}

interface SentItems<Item> {
  /** position of the first item in the list, from 0 */
  first: number
  items: Item[]
}

/** What became of a batch. */
export type BatchOutcome<Item, Answer> =
  | (SentItems<Item> & { answer: Answer; refused?: undefined })
  /** 422: nothing of the batch was written, and the next one is sent */
  | (SentItems<Item> & { answer?: undefined; refused: AnswerError })

/** Bytes of the items of a batch; a body may have 8 MiB. */
export const MAX_BATCH_BYTES = 7 * 1024 * 1024

interface WaitingItem<Item> {
  item: Item
  json: string
  bytes: number
}

/**
 * Sends items in batches, one after another, and yields what became of each. A batch is sent as soon as it is full. One
 * that is larger than the gateway, or a proxy before it, accepts is split.
 * @param send gets the items as a JSON array
 * @throws what `send` throws, except a 422
 */
export async function* sendBatches<Item, Answer>(
  items: Iterable<Item> | AsyncIterable<Item>,
  send: (list: string) => Promise<Answer>,
  { maxItems = 1_000, onLimit }: BatchLimits = {},
): AsyncGenerator<BatchOutcome<Item, Answer>, void, undefined> {
  const limits = { items: maxItems, bytes: MAX_BATCH_BYTES }
  const encoder = new TextEncoder()
  let waiting: WaitingItem<Item>[] = []
  let bytes = 0
  let first = 0

  /** The leading items that fit into one batch, at least one. */
  const nextBatch = (): WaitingItem<Item>[] => {
    let [count, size] = [0, 0]
    for (const each of waiting) {
      size += each.bytes
      if (count > 0 && (count >= limits.items || size > limits.bytes)) break
      count += 1
    }
    return waiting.slice(0, count)
  }
  /** Whether the limits are lower now. */
  const isSplit = ({ status, errors }: AnswerError, batch: WaitingItem<Item>[]): boolean => {
    if (batch.length === 1) return false
    if (status === 413) {
      limits.bytes = sizeOf(batch) / 2
      return true
    }
    const text = Object.values(errors)[0]?.[0] ?? ''
    const most = Number(/ than (\d+) items \(setting erp_max_batch_items\)/.exec(text)?.[1] ?? batch.length)
    if (status !== 422 || most < 1 || most >= batch.length) return false
    limits.items = most
    onLimit?.(most)
    return true
  }
  const sendWaiting = async function* (): AsyncGenerator<BatchOutcome<Item, Answer>> {
    while (waiting.length > 0) {
      const batch = nextBatch()
      const sent = { first, items: batch.map(({ item }) => item) }
      let outcome: BatchOutcome<Item, Answer>
      try {
        outcome = { ...sent, answer: await send(`[${batch.map(({ json }) => json).join()}]`) }
      } catch (error) {
        if (!(error instanceof AnswerError)) throw error
        if (isSplit(error, batch)) continue
        if (error.status !== 422) throw error
        outcome = { ...sent, refused: error }
      }
      waiting = waiting.slice(batch.length)
      first += batch.length
      yield outcome
    }
    bytes = 0
  }

  for await (const item of items) {
    const json = JSON.stringify(item) ?? 'null'
    const added = encoder.encode(json).length + 1
    if (bytes + added > limits.bytes) yield* sendWaiting()
    waiting.push({ item, json, bytes: added })
    bytes += added
    if (waiting.length >= limits.items) yield* sendWaiting()
  }
  yield* sendWaiting()
}

function sizeOf(batch: readonly { bytes: number }[]): number {
  return batch.reduce((sum, { bytes }) => sum + bytes, 0)
}
