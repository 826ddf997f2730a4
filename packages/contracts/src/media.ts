import { z } from 'zod'

/**
 * A stored picture attached to an item. `url` is public; services answer it as a path (`/media/7/door.jpg`),
 * the gateway puts the base URL in front. For products `custom_properties` is `{sort_order, is_main}`.
 */
export const itemMedia = z
  .object({
    id: z.int(),
    url: z.string(),
    file_name: z.string(),
    mime_type: z.string(),
    size: z.int().describe('bytes'),
    width: z.int().describe('pixels'),
    height: z.int().describe('pixels'),
    custom_properties: z.object({ sort_order: z.int().optional(), is_main: z.boolean().optional() }),
  })
  .meta({ id: 'Media' })

export type ItemMedia = z.infer<typeof itemMedia>

/** What the gateway must know to serve a stored picture. */
export const storedMedia = z.object({
  id: z.int(),
  file_name: z.string(),
  mime_type: z.enum(['image/jpeg', 'image/png', 'image/webp', 'image/gif']),
  size: z.int(),
  sha256: z.string(),
  created_at: z.iso.datetime(),
})

export type StoredMedia = z.infer<typeof storedMedia>

/** A download not yet done, or given up. */
export const mediaJob = z
  .object({
    id: z.int(),
    item: z.enum(['category', 'product']),
    erp_id: z.string(),
    url: z.string(),
    attempts: z.int(),
    last_error: z.string().nullable(),
    status: z.enum(['pending', 'failed']),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'MediaJob' })

export type MediaJob = z.infer<typeof mediaJob>
