import type { IncomingMessage } from 'node:http'
import { readCookie } from '../http/read-cookie.js'
import type { SettingsSnapshot } from '../settings/settings-cache.js'

/**
 * The settings with the language of the page that asks (admin.md#locale). It is a cookie and no header, because a page
 * can add no header to a download or to an event stream.
 */
export function inPageLanguage(settings: SettingsSnapshot, { headers }: IncomingMessage): SettingsSnapshot {
  const admin_locale = readCookie(headers.cookie, 'partsbus-language')
  if (admin_locale !== 'en' && admin_locale !== 'ru') return settings
  return {
    ...settings,
    values: { ...settings.values, admin_locale },
    call: { ...settings.call, admin_locale },
  }
}
