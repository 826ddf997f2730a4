/*
 * Public entry point, under semantic versioning: the calls of the partner API. Of a row `name`, `body`, `file`,
 * `answer` and `refusals` are public.
 */
export { type PartnerPath, partnerRows, type PartnerRows } from './http/partners.js'
export type { CallArguments, CallOptions, JsonPath, ReceivedAnswer } from './http/calls.js'
export type { ImportTask } from './pricing-import/import-task.js'
export type { OfferedPickUpPoint } from './stock/pick-up-point.js'
export type { BrandEntry, Part } from './supplier-search/commands.js'
