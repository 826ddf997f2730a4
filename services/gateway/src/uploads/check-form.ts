import { AppError } from '@partsbus/contracts/app-error'
import { getPriceList } from '@partsbus/contracts/pricing-import/commands'
import type { PriceList } from '@partsbus/contracts/pricing-import/price-list'
import { contractViolation, type Violations } from '@partsbus/contracts/violation'
import { ifFound } from '@partsbus/platform/bus/if-found'
import type { GatewayContext } from '../context.js'
import type { SettingsSnapshot } from '../settings/settings-cache.js'
import { invalidFile } from './invalid-file.js'
import type { ReceivedForm } from './receive-form.js'

/** A document in the upload store, as `pricing-import` receives it. */
export interface UploadedFile {
  object: string
  file_name: string
  /** bytes */
  size: number
}

export interface FormRules {
  /** undefined when the form has no usable id */
  listId: number | undefined
  /** violations of the id found so far */
  violations: Violations
  /** called when the list does not exist; adds to the violations, or throws */
  unknown: (violations: Violations) => void
  mustBeActive: boolean
}

/**
 * Checks a form in the order of partners.md#upload-1: all missing, invalid or unknown fields together → an inactive
 * list → the file → a storage failure. The list of a valid form is not looked up here, because `pricing-import` does
 * that.
 * @throws AppError CONTRACT_VIOLATION, INACTIVE_LIST, INVALID_FILE, STORE_FAILED, or what `unknown` throws
 */
export async function checkForm(
  ctx: Pick<GatewayContext, 'calls'>,
  form: ReceivedForm,
  held: SettingsSnapshot,
  rules: FormRules,
): Promise<UploadedFile> {
  const { document } = form
  const violations = { ...rules.violations }
  if (!document) violations['document'] = ['The document field is required.']
  else if (form.documents > 1) violations['document'] = ['The document must be a single file.']
  const isValid = Object.keys(violations).length === 0
  if (isValid && document?.kind === 'stored')
    return { object: document.object, file_name: document.file_name, size: document.size }

  const list = rules.listId === undefined ? undefined : await findList(ctx, rules.listId, held)
  if (rules.listId !== undefined && !list) rules.unknown(violations)
  if (Object.keys(violations).length > 0) throw contractViolation(violations)
  if (rules.mustBeActive && list?.is_active === false) throw inactiveList()
  if (document?.kind === 'too-large') {
    const limit = held.values['price-lists.import.max_file_size']
    throw invalidFile(`The file is larger than ${limit} bytes (setting price-lists.import.max_file_size).`)
  }
  throw new AppError('STORE_FAILED', 'Failed to store uploaded file.', {
    cause: document?.kind === 'failed' ? document.cause : undefined,
  })
}

/** The text of partners.md#upload. */
function inactiveList(): AppError {
  return new AppError('INACTIVE_LIST', 'Price list is not active.')
}

function findList(
  ctx: Pick<GatewayContext, 'calls'>,
  id: number,
  held: SettingsSnapshot,
): Promise<PriceList | undefined> {
  return ifFound(ctx.calls.request(getPriceList, { id }, { settings: held.call }))
}
