import { z } from 'zod'
import { integer, requiredText } from '../field.js'

/** Replaces a stored secret in responses; in a request it keeps the stored value. */
export const HIDDEN = '***'

/** Protocols of suppliers. A new one is a name here and a file in `supplier-search`. */
export const supplierDialects = ['standard', 'abcp', 'autoeuro'] as const

const httpUrl = () =>
  requiredText(2_000)
    .check((ctx) => {
      const url = URL.canParse(ctx.value) ? new URL(ctx.value) : undefined
      if (!url || !['http:', 'https:'].includes(url.protocol)) {
        ctx.issues.push({
          code: 'custom',
          input: ctx.value,
          params: { rule: 'format', text: 'The base_url must be an http or https URL.' },
        })
      } else if (url.username !== '' || url.password !== '') {
        // it would be stored and shown in clear text
        ctx.issues.push({
          code: 'custom',
          input: ctx.value,
          params: {
            rule: 'format',
            text: 'The base_url must not contain a user name or password; send them as a header.',
          },
        })
      }
    })
    .meta({ format: 'uri' })

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/)
const headerValue = z
  .string()
  .max(4_000)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/)

/** The source of a storage's offers (admin.md#supplier). */
export const supplier = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('own-stock') }).meta({ id: 'OwnStockSupplier' }),
    z.strictObject({ kind: z.literal('price-list') }).meta({ id: 'PriceListSupplier' }),
    z
      .strictObject({
        kind: z.literal('http'),
        base_url: httpUrl(),
        headers: z
          .record(headerName, headerValue)
          .optional()
          .describe('values are secrets: stored encrypted, returned as "***"'),
        timeout_ms: integer(1, 10_000).optional().describe('milliseconds; 4000 unless given'),
        cache_seconds: integer(0, 3_600).optional().describe('60 unless given'),
        dialect: z.enum(supplierDialects).optional().describe('`standard` or the name of a built-in dialect'),
      })
      .meta({ id: 'HttpSupplier' }),
  ])
  .meta({ id: 'Supplier' })

export type Supplier = z.infer<typeof supplier>

const fields = {
  name: requiredText().meta({ example: 'Supplier North' }),
  is_active: z.boolean().optional(),
  supplier: supplier.optional().describe('own-stock unless given'),
}

export const newStorage = z.strictObject(fields).meta({ id: 'NewStorage' })
export const storagePatch = newStorage.partial().meta({ id: 'StoragePatch' })

/** A storage in the admin API; header values of an http supplier are `"***"`. */
export const storage = z
  .object({
    id: z.int(),
    name: z.string().meta({ example: 'Supplier North' }),
    is_active: z.boolean(),
    supplier,
  })
  .meta({ id: 'Storage' })

export type NewStorage = z.infer<typeof newStorage>
export type StoragePatch = z.infer<typeof storagePatch>
export type Storage = z.infer<typeof storage>
