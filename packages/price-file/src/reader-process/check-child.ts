import { checkPriceFile, verifyArchive } from '../open-price-file.js'
import type { CheckRequest, CheckResponse } from './check-protocol.js'
import { serveParent } from './serve-parent.js'

/* The process behind `check-price-file.ts`. */

serveParent(async ({ request, path, fileName, folder, maxUnpacked }: CheckRequest): Promise<CheckResponse> => {
  await (request === 'check' ? checkPriceFile : verifyArchive)(path, fileName, folder, maxUnpacked)
  return { answer: 'checked' }
})
