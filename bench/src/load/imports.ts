import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunningProduct } from '@partsbus/local-stack/running-product'
import type { Erp } from '../clients/erp.js'
import type { GroupSteps } from '../runs/group-steps.js'
import { benchImportFormats } from './import-formats.js'
import { benchImportLoad } from './import-load.js'
import { benchImportSpeed } from './import-speed.js'
import type { Figure } from '../figures/measure.js'
import { openOffersByHand } from '../yardsticks/offers-by-hand.js'
import { connectPartner } from '../clients/partner.js'
import { toScale } from '../runs/scale.js'
import { benchUploads } from './upload-speed.js'

/** Limits a run to six minutes on two slow cores. The figures name the size that was run. */
const OWN_SCALE = 0.1

/** Price lists from their upload through the B2B API to live offers. */
export async function benchImports(
  product: RunningProduct,
  erp: Erp,
  databaseUrl: string,
  steps: GroupSteps,
): Promise<Figure[]> {
  const scale = toScale(OWN_SCALE)
  const folder = await mkdtemp(join(tmpdir(), 'bench-imports-'))
  const partner = await connectPartner(product)
  const byHand = await openOffersByHand(databaseUrl)
  try {
    const storageId = await partner.createStorage({ kind: 'price-list' })
    return [
      ...(await steps.figures('speed', () => benchImportSpeed(partner, byHand, storageId, folder, scale))),
      ...(await steps.figures('formats', () =>
        benchImportFormats(partner, byHand, storageId, folder, Math.min(1, scale * 10)),
      )),
      ...(await steps.figures('load', () => benchImportLoad(product, partner, erp, storageId, folder, scale))),
      ...(await steps.figures('uploads', () => benchUploads(product, partner, storageId, folder, scale))),
    ]
  } finally {
    await byHand.close()
    partner.close()
    await rm(folder, { recursive: true, force: true })
  }
}
