import type { IncomingMessage } from 'node:http'
import { russianRefusals } from '@partsbus/contracts/http/russian-refusals'
import { createTranslator } from '@partsbus/platform/texts/translator'
import { readCookie } from '../http/read-cookie.js'
import type { SettingsSnapshot } from '../settings/settings-cache.js'

/**
 * The language of the page that asks (admin.md#locale); undefined when no page does. It is a cookie and no header,
 * because a page can add no header to a download or to an event stream.
 */
export function pageLanguage({ headers }: Pick<IncomingMessage, 'headers'>): 'en' | 'ru' | undefined {
  const language = readCookie(headers.cookie, 'partsbus-language')
  return language === 'en' || language === 'ru' ? language : undefined
}

/** The settings with the language of the page that asks. */
export function inPageLanguage(settings: SettingsSnapshot, request: IncomingMessage): SettingsSnapshot {
  const admin_locale = pageLanguage(request)
  if (admin_locale === undefined) return settings
  return {
    ...settings,
    values: { ...settings.values, admin_locale },
    call: { ...settings.call, admin_locale },
  }
}

const toRussian = createTranslator(russianRefusals)

/** The message of an error in the language of the page that asks; programs get it in English. */
export function refusalInPageLanguage(message: string, request: Pick<IncomingMessage, 'headers'>): string {
  return pageLanguage(request) === 'ru' ? toRussian(message) : message
}
