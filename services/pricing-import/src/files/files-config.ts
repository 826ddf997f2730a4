import { fileStoreConfig } from '@partsbus/file-store/config'
import { z } from 'zod'

/** Variables of the storage of price-list files. */
export const filesConfig = fileStoreConfig.extend({
  /** folder of the `fs` driver, which is the default when this is set; `price-files` in `STORAGE_PATH` unless set */
  FILES_PATH: z.string().min(1).optional(),
})

export type FilesConfig = z.infer<typeof filesConfig>
