import { describe, expect, it } from '@jest/globals'
import { AnswerError } from '@partsbus/client/answer-error'
import { addBrands, readBrandList } from './brand-list.js'

const refusal = (rule: string) =>
  new AnswerError(422, { violations: [{ path: 'canonical', rule }] } as never, new Headers())

it('a pasted list has a brand in each line, each once', () => {
  expect(readBrandList('BOSCH\r\n  KYB \n\nbosch\n"Lemförder"\nMANN-FILTER\nMANN FILTER\n—\n')).toEqual([
    ...['BOSCH', 'KYB', '"Lemförder"', 'MANN-FILTER', 'MANN FILTER', '—'],
  ])
  expect(readBrandList(' \n')).toEqual([])
})

describe('the brands of a list', () => {
  it('are added but for those that are known or refused', async () => {
    const counts: number[] = []
    const create = async (brand: string) => {
      if (brand === 'KYB') throw refusal('taken')
      if (brand === 'long') throw refusal('max')
    }
    expect(await addBrands(['BOSCH', 'KYB', 'long', 'ATE'], create, (done) => counts.push(done))).toEqual({
      ...{ added: ['BOSCH', 'ATE'], known: ['KYB'], refused: ['long'], left: [] },
    })
    expect(counts).toEqual([1, 2, 3, 4])
  })

  it('are sent a few at a time', async () => {
    let now = 0
    let most = 0
    await addBrands(
      Array.from({ length: 40 }, (_, at) => `B${at}`),
      async () => {
        most = Math.max(most, (now += 1))
        await Promise.resolve()
        now -= 1
      },
    )
    expect(most).toBe(4)
  })

  it('are no longer sent once the service does not answer; the rest is kept to be sent again', async () => {
    const brands = Array.from({ length: 20 }, (_, at) => `B${at}`)
    const failure = new Error('offline')
    let sent = 0
    const { left, added, ...outcome } = await addBrands(brands, async (brand) => {
      sent += 1
      if (Number(brand.slice(1)) >= 6) throw failure
    })
    expect(outcome).toEqual({ known: [], refused: [], failure })
    expect(sent).toBeLessThan(brands.length)
    expect([...added, ...left].toSorted()).toEqual(brands.toSorted())
  })
})
