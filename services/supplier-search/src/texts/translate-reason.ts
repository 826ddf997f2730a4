import type { CallSettings } from '@partsbus/contracts/administration/settings'
import { createTranslator } from '@partsbus/platform/texts/translator'
import { russianReasons } from './russian-reasons.js'

export type Locale = CallSettings['admin_locale']

const toRussian = createTranslator(russianReasons)

/** The reason of a failure in the locale of the administrators; it is logged and stored in English. */
export function translateReason(reason: string | null, locale: Locale): string | null {
  return reason === null || locale !== 'ru' ? reason : toRussian(reason)
}
