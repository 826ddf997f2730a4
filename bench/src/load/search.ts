import type { RunningProduct } from '@partsbus/local-stack/running-product'
import type { Erp } from '../clients/erp.js'
import type { GroupSteps } from '../runs/group-steps.js'
import type { Figure } from '../figures/measure.js'
import { openOffersByHand } from '../yardsticks/offers-by-hand.js'
import { connectPartner } from '../clients/partner.js'
import { toScale } from '../runs/scale.js'
import { benchOffers } from './search-offers.js'
import { benchSuppliers } from './search-suppliers.js'

/** Full size by default, because the offers, most of the work, are inserted without an import. */
const OWN_SCALE = 1

/** Queries of partners, to HTTP suppliers and to price lists. */
export async function benchSearch(
  product: RunningProduct,
  erp: Erp,
  databaseUrl: string,
  steps: GroupSteps,
): Promise<Figure[]> {
  const scale = toScale(OWN_SCALE)
  const partner = await connectPartner(product)
  const byHand = await openOffersByHand(databaseUrl)
  try {
    return [
      ...(await steps.figures('suppliers', () => benchSuppliers(product, partner, erp, Math.min(1, scale * 10)))),
      ...(await steps.figures('offers', () => benchOffers(partner, byHand, databaseUrl, scale))),
    ]
  } finally {
    await byHand.close()
    partner.close()
  }
}
