import { z } from 'zod'

/** Variables of the files' place; part of the service's configuration. */
export const filesConfig = z.object({
  /** where the bytes of uploaded files are kept; unless given `fs` where `FILES_PATH` is, else `gridfs` */
  STORAGE_DRIVER: z.enum(['gridfs', 'fs', 's3']).optional(),
  /** the folder of the `fs` driver, the same for all replicas */
  FILES_PATH: z.string().min(1).optional(),
  /** a folder for the files of several services; ours is `price-files` in it, unless `FILES_PATH` names one */
  STORAGE_PATH: z.string().min(1).optional(),
  /** left out for AWS itself */
  S3_ENDPOINT: z.url().optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_BUCKET: z.string().min(1).optional(),
  /** put in front of every key, like `partsbus/` */
  S3_PREFIX: z.string().default(''),
  /** left out where the machine itself has the right */
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_FORCE_PATH_STYLE: z.stringbool().default(true),
})

export type FilesConfig = z.infer<typeof filesConfig>
export type DriverName = NonNullable<FilesConfig['STORAGE_DRIVER']>
