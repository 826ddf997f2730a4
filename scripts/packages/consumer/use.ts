/*
 * A program of somebody who has installed the packages. It is compiled by the checks, and run against a product by
 * e2e/contract/packages.e2e.spec.ts.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAdminClient } from '@partsbus/client/admin-client'
import { AnswerError } from '@partsbus/client/answer-error'
import { createErpClient } from '@partsbus/client/erp-client'
import { createPartnerClient } from '@partsbus/client/partner-client'
import { type AdminImportTask, roles } from '@partsbus/contracts/admin'
import { type Part, partnerRows } from '@partsbus/contracts/b2b'
import { checkItem, type ProductItem } from '@partsbus/contracts/erp'
import { type ResultCode, resultCodes } from '@partsbus/contracts/errors'
import { type PayloadOf, supplyUpdated } from '@partsbus/contracts/events'
import { openPriceFile } from '@partsbus/price-file/open-price-file'
import { PriceFileError } from '@partsbus/price-file/price-file-error'
import { ReaderProcess } from '@partsbus/price-file/reader-process/reader-process'
import { serveParent } from '@partsbus/price-file/reader-process/serve-parent'

const { PARTSBUS_URL: baseUrl = '', ADMIN_TOKEN = '', ERP_TOKEN = '', B2B_TOKEN = '', FOLDER = '.' } = process.env

const products: ProductItem[] = ['CONSUMER-1', 'CONSUMER-2', 'CONSUMER-3'].map((id) => ({
  id_erp: id,
  name: `Filter ${id}`,
  brand: 'MAHLE',
  article: id,
}))
const invalid = checkItem('POST /products/batch-upsert', { id_erp: 'CONSUMER-4' }).rejected?.message

const erp = createErpClient({ baseUrl, token: ERP_TOKEN, validate: true, retry: { attempts: 3 } })
let created = 0
for await (const { answer, refused } of erp.batches('POST /products/batch-upsert', products, { maxItems: 2 })) {
  if (refused) throw refused
  created += answer.created
}

const file = join(FOLDER, 'price.csv')
writeFileSync(file, 'Brand;Article;Name;Quantity;Price\nMAHLE;CONSUMER 9;Filter;4;10,50\n')
const { blocks } = await openPriceFile(file, 'price.csv', FOLDER)
const rows: string[][] = []
for await (const block of blocks) rows.push(...block.rows)

const admin = createAdminClient({ baseUrl, token: ADMIN_TOKEN, validate: true })
const { id } = await admin('POST /price-lists', {
  body: {
    name: 'Consumer',
    storage_id: (await admin('POST /storages', { body: { name: 'Consumer', supplier: { kind: 'price-list' } } })).id,
  },
})
const task: AdminImportTask = await admin.uploadAndWait('POST /price-lists/:id/upload', {
  params: { id },
  file: new File([rows.map((cells) => cells.join(';')).join('\n')], 'price.csv'),
})

const partner = createPartnerClient({ baseUrl, token: B2B_TOKEN, validate: true })
const { parts }: { parts: Part[] } = await partner('POST /get-parts', {
  body: { article: 'CONSUMER 9', brands: ['MAHLE'], pick_up_points: [] },
})
const unauthorized = await createErpClient({ baseUrl, token: 'wrong' })('GET /ping').catch((error: unknown) =>
  error instanceof AnswerError ? error.status : error,
)

const event: PayloadOf<typeof supplyUpdated> = supplyUpdated.payload.parse({
  batch: 'b-1',
  at: '2026-11-26T12:00:00.000Z',
  storage_id: 1,
  pick_up_point_id: 1,
  items: [{ product_id: 1, product_erp_id: 'P-1', quantity: 4, revision: 2 }],
})
const code: ResultCode = 'image_failed'

console.log(
  JSON.stringify({
    invalid,
    created,
    rows: rows.length,
    imported: task.imported_rows,
    parts: parts.length,
    unauthorized,
    quantity: event.items[0]?.quantity,
    level: resultCodes[code],
    roles: roles.length,
    calls: Object.keys(partnerRows).length,
    names: [PriceFileError, ReaderProcess, serveParent].map(({ name }) => name),
  }),
)
