import { platformConfig } from '@partsbus/platform/process/config'
import type { z } from 'zod'

export const administrationConfig = platformConfig

export type AdministrationConfig = z.infer<typeof administrationConfig>
