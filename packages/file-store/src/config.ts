import { z } from 'zod'

/** Variables of the file storage, the same for all services that store files. */
export const fileStoreConfig = z.object({
  /** where new files are stored; `gridfs` by default */
  STORAGE_DRIVER: z.enum(['gridfs', 'fs', 's3']).optional(),
  /** folder of the `fs` driver; every replica must see the same one */
  STORAGE_PATH: z.string().min(1).optional(),
  /** omitted for AWS */
  S3_ENDPOINT: z.url().optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_BUCKET: z.string().min(1).optional(),
  /** prefix of every key, like `partsbus/` */
  S3_PREFIX: z.string().default(''),
  /** omitted when the role of the machine grants access */
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_FORCE_PATH_STYLE: z.stringbool().default(true),
})

export type FileStoreConfig = z.infer<typeof fileStoreConfig>
export type DriverName = NonNullable<FileStoreConfig['STORAGE_DRIVER']>
