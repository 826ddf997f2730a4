import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunningProduct } from '@partsbus/local-stack/running-product'
import type { Erp } from './erp.js'
import type { Figure } from './measure.js'
import { openOffersByHand } from './offers-by-hand.js'
import { connectPartner } from './partner.js'
import { scaleOf } from './scale.js'
import { benchOffers } from './search-offers.js'
import { benchSuppliers } from './search-suppliers.js'

/** The offers are what takes long to bring in; the figures say how many there were. */
const OWN_SCALE = 0.1

/** Questions of partners: to http suppliers, and to price lists. */
export async function benchSearch(product: RunningProduct, erp: Erp, databaseUrl: string): Promise<Figure[]> {
  const scale = scaleOf(OWN_SCALE)
  const folder = await mkdtemp(join(tmpdir(), 'bench-search-'))
  const partner = await connectPartner(product)
  const byHand = await openOffersByHand(databaseUrl)
  try {
    return [
      ...await benchSuppliers(product, partner, erp, Math.min(1, scale * 10)),
      ...await benchOffers(partner, byHand, folder, scale),
    ]
  } finally {
    await byHand.close()
    partner.close()
    await rm(folder, { recursive: true, force: true })
  }
}
