import { fillPriceLists } from '../clients/fill-price-lists.js'
import { type Figure, median, percentile, round, timed, toFigure } from '../figures/measure.js'
import type { OffersByHand } from '../yardsticks/offers-by-hand.js'
import type { Partner } from '../clients/partner.js'
import { priceRow } from '../clients/price-rows.js'
import { ofFull, scaled } from '../runs/scale.js'

const OFFERS = 1_000_000
const LISTS = 20
const QUERIES = 400
/** Warm-up queries, until all processes run optimised code. */
const WARM_UP = 1_200

/** `get-brands` of articles that are in all 20 lists, against the same query with the driver. */
export async function benchOffers(
  partner: Partner,
  byHand: OffersByHand,
  databaseUrl: string,
  scale: number,
): Promise<Figure[]> {
  const each = scaled(OFFERS / LISTS, scale, 100)
  const storageId = await partner.createStorage({ kind: 'price-list' })
  const listIds: number[] = []
  for (let list = 0; list < LISTS; list += 1) listIds.push(await partner.createList(storageId))
  const versions = await fillPriceLists(databaseUrl, listIds, each)
  await partner.admin('PATCH /settings', { body: { storages_for_crosses: [storageId] } })
  const mine: number[] = []
  const direct: number[] = []
  const queries = scaled(QUERIES, Math.min(1, scale * 10), 30)
  const warmUp = scaled(WARM_UP, Math.min(1, scale * 10), 30)
  for (let turn = 0; turn < queries + warmUp; turn += 1) {
    const { article } = priceRow((turn * 7_919) % each)
    const byDriver = await timed(async () => {
      const found = await byHand.find(article, versions)
      if (found !== LISTS) throw new Error(`the driver found ${found} offers of ${article}, not ${LISTS}`)
    })
    const asked = await timed(async () => {
      const answer = await partner.post('/get-brands', JSON.stringify({ article }))
      if (answer.status !== 200 || !answer.body.includes('BRAND-'))
        throw new Error(`get-brands answered ${answer.status}: ${answer.body.slice(0, 300)}`)
    })
    if (turn < warmUp) continue
    mine.push(asked)
    direct.push(byDriver)
  }
  await partner.admin('PATCH /settings', { body: { storages_for_crosses: [] } })
  return [
    figure('p50', median(mine), median(direct), 3),
    figure('p99', percentile(mine, 0.99), percentile(direct, 0.99), 10),
  ]

  function figure(which: string, ours: number, theirs: number, goal: number): Figure {
    const value = ours - theirs
    const offers = `1,000,000 offers of ${LISTS} lists`
    return toFigure({
      what: `get-brands of an article in ${offers}, ${which} above the same query by the driver`,
      value,
      unit: 'ms',
      detail:
        `${round(ours)} ms, by the driver ${round(theirs)} ms; ` +
        `${queries} queries, one at a time${ofFull(each * LISTS, OFFERS, 'offers')}`,
      most: goal,
    })
  }
}
