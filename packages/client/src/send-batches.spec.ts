import { describe, expect, it } from '@jest/globals'
import { tooManyItems } from '@partsbus/contracts/batch'
import { MAX_BODY_BYTES } from '@partsbus/contracts/message'
import { AnswerError, type ErrorBody } from './answer-error.js'
import { type BatchLimits, type BatchOutcome, MAX_BATCH_BYTES, sendBatches } from './send-batches.js'

const refusal = (status: number, body: ErrorBody = {}) => new AnswerError(status, body, new Headers())

/** Sends to a gateway that refuses some lists. @returns the lists as they were sent, and what was yielded */
async function send<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  limits: BatchLimits = {},
  refuse: (list: Item[], json: string) => AnswerError | undefined = () => undefined,
) {
  const sent: Item[][] = []
  const outcomes: BatchOutcome<Item, number>[] = []
  const answer = async (json: string): Promise<number> => {
    const list = JSON.parse(json) as Item[]
    sent.push(list)
    const error = refuse(list, json)
    if (error) throw error
    return list.length
  }
  const failure = await (async () => {
    for await (const outcome of sendBatches(items, answer, limits)) outcomes.push(outcome)
    return undefined
  })().catch((error: unknown) => error)
  return { sent, outcomes, failure }
}

describe('a list is cut', () => {
  it('by the number of items', async () => {
    const { sent, outcomes } = await send([1, 2, 3, 4, 5], { maxItems: 2 })
    expect(sent).toEqual([[1, 2], [3, 4], [5]])
    expect(outcomes).toEqual([
      { first: 0, items: [1, 2], answer: 2 },
      { first: 2, items: [3, 4], answer: 2 },
      { first: 4, items: [5], answer: 1 },
    ])
    expect((await send([])).sent).toEqual([])
    expect((await send(Array.from({ length: 1_500 }, (_, index) => index))).sent.map(({ length }) => length)).toEqual([
      1_000, 500,
    ])
  })

  it('by bytes, which are not characters', async () => {
    // 2 MiB in UTF-8
    const text = 'Я'.repeat(1024 * 1024)
    const { sent } = await send([text, text, text, text, text])
    expect(sent.map(({ length }) => length)).toEqual([3, 2])
    expect((await send(['x'.repeat(MAX_BATCH_BYTES + 1), 'y'])).sent.map(({ length }) => length)).toEqual([1, 1])
    expect(MAX_BATCH_BYTES).toBeLessThan(MAX_BODY_BYTES)
  })

  it('again where the gateway takes fewer items, which it does not say twice', async () => {
    const named: number[] = []
    const limits = { maxItems: 4, onLimit: (most: number) => named.push(most) }
    const { sent } = await send([1, 2, 3, 4, 5, 6, 7], limits, ({ length }) =>
      length > 3 ? refusal(422, { errors: { products: [tooManyItems('products', 3)] } }) : undefined,
    )
    expect(sent).toEqual([[1, 2, 3, 4], [1, 2, 3], [4], [5, 6, 7]])
    expect(named).toEqual([3])
  })

  it('again where a proxy takes fewer bytes', async () => {
    const tooLong = (_: string[], json: string) => (json.length > 40 ? refusal(413) : undefined)
    const { sent, failure } = await send(['a'.repeat(20), 'b'.repeat(20), 'c'.repeat(60)], {}, tooLong)
    expect(sent.slice(-3).map(([item]) => item?.[0])).toEqual(['a', 'b', 'c'])
    expect(failure).toMatchObject({ status: 413 })
  })
})

it('goes on after a batch that was refused as invalid, and ends after any other error', async () => {
  const refuse = ([first]: number[]) => (first === 1 ? refusal(422) : first === 5 ? refusal(401) : undefined)
  const { sent, outcomes, failure } = await send([1, 2, 3, 4, 5, 6, 7], { maxItems: 2 }, refuse)
  expect(sent).toHaveLength(3)
  expect(outcomes).toEqual([
    { first: 0, items: [1, 2], refused: expect.objectContaining({ status: 422 }) },
    { first: 2, items: [3, 4], answer: 2 },
  ])
  expect(failure).toMatchObject({ status: 401 })
})

it('sends a batch before it asks for the next item, and nothing of one that the source ends', async () => {
  async function* source() {
    yield 1
    yield 2
    yield 3
    throw new Error('unreadable')
  }
  const { sent, failure } = await send(source(), { maxItems: 2 })
  expect(sent).toEqual([[1, 2]])
  expect(failure).toEqual(new Error('unreadable'))
})
