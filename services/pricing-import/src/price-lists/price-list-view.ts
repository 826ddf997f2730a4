import type { PriceList } from '@partsbus/contracts/pricing-import/price-list'
import type { Revised } from '@partsbus/contracts/revision'
import { HIDDEN } from '@partsbus/contracts/stock/storage'
import type { Locale } from '../texts/skip-texts.js'
import { translate } from '../texts/translate.js'
import type { PriceListRecord } from './price-list-record.js'

/** A list as the admin API shows it; passwords read `"***"`. */
export function priceListView(list: PriceListRecord, locale: Locale = 'en'): PriceList {
  const { id, name, storage_id, is_active, mode, markup_percent, min_rows_ratio, delivery_days, format, sources } = list
  return {
    id,
    name,
    storage_id,
    is_active,
    mode,
    markup_percent,
    min_rows_ratio,
    delivery_days,
    format,
    sources: sources.map(({ sealed_password, state, ...source }) => ({
      ...source,
      ...(sealed_password !== null && { password: HIDDEN }),
      last_run: state.last_run && { ...state.last_run, message: translate(state.last_run.message, locale) },
    })),
  }
}

export function revisedView(list: PriceListRecord, locale: Locale): Revised<PriceList> {
  return { ...priceListView(list, locale), revision: list.revision }
}
