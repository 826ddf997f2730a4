/*
 * Public entry point, under semantic versioning: the calls of the administration API and what they read and write. Of a
 * row `name`, `role`, `status`, `params`, `query`, `headers`, `body`, `file`, `answer`, `media` and `refusals` are
 * public.
 */
export { type AdminPath, adminRows, type AdminRows, type AnswerOf, type BodyOf, type QueryOf } from './http/admin.js'
export type { CallArguments, CallOptions, JsonPath, ReceivedAnswer, UploadPath } from './http/calls.js'
export { type Role, roles } from './http/row.js'
export type { Overview } from './administration/overview.js'
export type { Settings, SettingsPatch, SettingsView } from './administration/settings.js'
export type { AdminImportTask } from './pricing-import/import-task.js'
export type { ImportWarning } from './pricing-import/import-warning.js'
export type { Preview } from './pricing-import/preview.js'
export type {
  NewPriceList,
  PriceList,
  PriceListFormat,
  PriceListPatch,
  SkippedRow,
} from './pricing-import/price-list.js'
export type { PriceListVersion } from './pricing-import/price-list-version.js'
export type { NewStorage, Storage, StoragePatch, Supplier } from './stock/storage.js'
