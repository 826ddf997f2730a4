import { platformConfig } from '@partsbus/platform/process/config'
import type { z } from 'zod'
import { mediaConfig } from './media/config.js'

export const catalogConfig = platformConfig.extend(mediaConfig.shape)

export type CatalogConfig = z.infer<typeof catalogConfig>
