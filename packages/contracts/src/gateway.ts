import { z } from 'zod'
import { command, domainEvent } from './message.js'
import { callSettings } from './settings.js'

/**
 * Told to all gateways, outside any stream, when the settings were written: each reads them again and replies.
 * Who misses it reads them half a second later anyway.
 */
export const settingsChanged = domainEvent('gateway.settings.changed', z.object({ rev: z.int() }))

/** The settings as they are now, for work that no request brings them to: what runs on a schedule, and what cleans up by age. */
export const currentSettings = command('gateway.settings.get', { request: z.object({}), reply: callSettings })
