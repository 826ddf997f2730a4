import { z } from 'zod'

/** Variables of the media module. */
export const mediaConfig = z.object({
  /** where the bytes of images are stored */
  STORAGE_DRIVER: z.enum(['gridfs', 'fs', 's3']).default('gridfs'),
  /** folder of the `fs` driver; every replica must see the same one */
  STORAGE_PATH: z.string().min(1).optional(),
  /** omitted for AWS */
  S3_ENDPOINT: z.url().optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_BUCKET: z.string().min(1).optional(),
  /** prefix of every key, like `partsbus/` */
  S3_PREFIX: z.string().default(''),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_FORCE_PATH_STYLE: z.stringbool().default(true),
  /** downloads at a time in one process */
  MEDIA_DOWNLOADS: z.coerce.number().int().min(1).max(256).default(32),
  /** downloads at a time from one host in one process */
  MEDIA_DOWNLOADS_PER_HOST: z.coerce.number().int().min(1).max(256).default(8),
})

export type MediaConfig = z.infer<typeof mediaConfig>
