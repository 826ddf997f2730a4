import { z } from 'zod'

/**
 * A stored image of an item. Services return `url` as a path (`/media/7/door.jpg`), and the gateway prepends its public
 * URL.
 * For products `custom_properties` is `{sort_order, is_main}`.
 */
export const itemMedia = z
  .object({
    id: z.int(),
    url: z.string().meta({ example: 'https://parts.example.org/media/7/nb-1204.jpg' }),
    file_name: z.string().meta({ example: 'nb-1204.jpg' }),
    mime_type: z.string().meta({ example: 'image/jpeg' }),
    size: z.int().describe('bytes').meta({ example: 48_213 }),
    width: z.int().describe('pixels').meta({ example: 800 }),
    height: z.int().describe('pixels').meta({ example: 600 }),
    custom_properties: z
      .object({ sort_order: z.int().optional(), is_main: z.boolean().optional() })
      .meta({ id: 'MediaProperties' }),
  })
  .meta({ id: 'Media' })

export type ItemMedia = z.infer<typeof itemMedia>

/** The data that the gateway needs to serve a stored image. */
export const storedMedia = z.object({
  id: z.int(),
  file_name: z.string().meta({ example: 'nb-1204.jpg' }),
  mime_type: z.enum(['image/jpeg', 'image/png', 'image/webp', 'image/gif']),
  size: z.int().meta({ example: 48_213 }),
  sha256: z.string(),
  created_at: z.iso.datetime(),
})

export type StoredMedia = z.infer<typeof storedMedia>

/** A pending or failed download. */
export const mediaJob = z
  .object({
    id: z.int(),
    item: z.enum(['category', 'product']),
    erp_id: z.string().meta({ example: 'P/0001' }),
    url: z.string().meta({ example: 'https://parts.example.org/media/7/nb-1204.jpg' }),
    attempts: z.int().meta({ example: 4 }),
    last_error: z.string().nullable().meta({ example: 'the address is not public' }),
    status: z.enum(['pending', 'failed']),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'MediaJob' })

export type MediaJob = z.infer<typeof mediaJob>

/** The images of an item that the ERP sent last (erp.md#status-3). */
export const imageStates = z
  .object({
    done: z.int(),
    pending: z.int().describe('being fetched, or waiting for another attempt'),
    failed: z.int().describe('given up'),
    problems: z
      .array(
        z
          .object({ url: z.string(), attempts: z.int(), reason: z.string(), is_retried: z.boolean() })
          .meta({ id: 'ImageProblem' }),
      )
      .describe('images that could not be fetched so far; at most 1,000 in one answer'),
  })
  .meta({ id: 'ImageStates' })

export type ImageStates = z.infer<typeof imageStates>
