import { z } from 'zod'
import { domainEvent } from './message.js'

/**
 * Told to all gateways, outside any stream, when the settings were written: each reads them again and replies.
 * Who misses it reads them half a second later anyway.
 */
export const settingsChanged = domainEvent('gateway.settings.changed', z.object({ rev: z.int() }))
