import type { PricingImportContext } from '../context.js'
import { FIRST_COPY, MAX_COPIES } from '../offers/offer-id.js'
import type { PlacedOffer } from '../offers/offer-store.js'
import type { KeyTable } from '../rows/key-table.js'
import { ImportFailure } from './import-failure.js'
import type { ListHold } from './list-hold.js'

/**
 * Copies the offers of the active version that the file does not name into the new version (decisions, merge instead of
 * replace). What it writes depends on the base and the file alone, so it may be done again.
 * @param base the active version, 0 when there is none
 * @returns how many were copied
 */
export async function copyLiveOffers(ctx: PricingImportContext, hold: ListHold, base: number, keys: KeyTable): Promise<number> {
  const { id } = hold.task
  await hold.reach(() => ctx.offers.deleteCopies(id))
  if (base === 0) return 0
  let copied = 0
  let batch: PlacedOffer[] = []
  const write = async (): Promise<void> => {
    const full = batch
    batch = []
    await hold.reach(() => ctx.offers.write(id, full))
  }
  for await (const offer of ctx.offers.all(base)) {
    if (keys.has(offer.brand_key, offer.article_key)) continue
    if (copied >= MAX_COPIES) throw new ImportFailure(`The merged list would have more than ${MAX_COPIES} offers.`)
    batch.push({ place: FIRST_COPY + copied, offer })
    copied += 1
    if (batch.length >= ctx.config.IMPORT_BATCH_ROWS) await write()
  }
  await write()
  return copied
}
