import { fileStoreConfig } from '@partsbus/file-store/config'
import { z } from 'zod'

/** Variables of the media module. */
export const mediaConfig = fileStoreConfig.extend({
  /** downloads at a time in one process */
  MEDIA_DOWNLOADS: z.coerce.number().int().min(1).max(256).default(32),
  /** downloads at a time from one host in one process */
  MEDIA_DOWNLOADS_PER_HOST: z.coerce.number().int().min(1).max(256).default(8),
})

export type MediaConfig = z.infer<typeof mediaConfig>
