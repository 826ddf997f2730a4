import { z } from 'zod'
import { dateText, identifier, integer, plainText, requiredText } from '../field.js'
import { pageRequest } from '../paging.js'

const addressList = z.array(plainText(255)).max(1_000)

/** The settings of an administrator, with their defaults (admin.md#settings-table). */
export const settingsFields = {
  erp_enabled: z.boolean().describe('switches the ERP API on; off at first'),
  erp_storage_id: identifier().nullable().describe('the storage that ERP stock is written to; it must exist'),
  erp_pick_up_point_id: identifier()
    .nullable()
    .describe('the pick-up point that ERP stock is written to; it must exist'),
  erp_allowed_ips: addressList
    .describe('addresses or CIDRs of either family; empty: no restriction')
    .meta({ example: ['203.0.113.0/24'] }),
  erp_error_policy: z
    .enum(['reject_batch', 'reject_failed_rows'])
    .describe('what a broken item of an ERP batch does, unless the request says it; `reject_batch` at first'),
  erp_max_batch_items: integer(1, 5_000)
    .describe('items of one ERP batch at most; 1000 at first')
    .meta({ example: 1_000 }),
  b2b_enabled: z.boolean().describe('switches the partner API on; off at first'),
  storages_for_crosses: z
    .array(identifier())
    .max(1_000)
    .describe('storages that are asked where a partner names no pick-up points; they must exist'),
  'price-lists.import.max_file_size': integer(1, 2 * 1024 ** 3)
    .describe('bytes of a price list at most; 52428800 at first')
    .meta({ example: 52_428_800 }),
  media_allowed_hosts: addressList
    .describe('host names or CIDRs that image downloads may reach although they are private')
    .meta({ example: ['images.erp.example'] }),
  media_wait_ms: integer(0, 30_000)
    .describe('milliseconds that an ERP batch waits for its images; 5000 at first')
    .meta({ example: 5_000 }),
  admin_locale: z
    .enum(['en', 'ru'])
    .describe('language of the status labels, reasons and messages that programs fetch; `en` at first'),
  erp_rate_limit: integer(1, 1_000_000)
    .nullable()
    .describe('ERP requests a minute; null: no limit')
    .meta({ example: null }),
  b2b_rate_limit: integer(1, 1_000_000)
    .nullable()
    .describe('partner requests a minute; null: no limit')
    .meta({ example: null }),
  retention_days: integer(1, 36_500)
    .describe('days that finished import tasks are kept; 60 at first')
    .meta({ example: 60 }),
  audit_retention_days: integer(1, 36_500)
    .describe('days that audit entries are kept; 365 at first')
    .meta({ example: 365 }),
  maintenance: requiredText(500)
    .nullable()
    .describe('not null: requests that write are answered 503 with this text, and workers rest')
    .meta({ example: null }),
} as const

export const settings = z.strictObject(settingsFields).meta({ id: 'SettingValues' })
export type Settings = z.infer<typeof settings>

/** Any subset of the settings; unknown names are violations. */
export const settingsPatch = settings.partial().meta({ id: 'SettingsPatch' })
export type SettingsPatch = z.infer<typeof settingsPatch>

export const defaultSettings: Settings = {
  erp_enabled: false,
  erp_storage_id: null,
  erp_pick_up_point_id: null,
  erp_allowed_ips: [],
  erp_error_policy: 'reject_batch',
  erp_max_batch_items: 1_000,
  b2b_enabled: false,
  storages_for_crosses: [],
  'price-lists.import.max_file_size': 52_428_800,
  media_allowed_hosts: [],
  media_wait_ms: 5_000,
  admin_locale: 'en',
  erp_rate_limit: null,
  b2b_rate_limit: null,
  retention_days: 60,
  audit_retention_days: 365,
  maintenance: null,
}

/** A token as it is shown later. */
export const tokenStamp = z.object({ last4: z.string().meta({ example: 'I4mM' }), issued_at: z.iso.datetime() })
/** A new token; it is shown only once. */
export const issuedToken = tokenStamp
  .extend({
    token: z.string().meta({ example: 'Qh3l0s0bO3W7k1d2X9yPzv4nF5tJ6uA8rB0cE2gI4mM' }),
    previous_valid_until: z.iso
      .datetime()
      .optional()
      .describe('until when the token before it is accepted as well; absent: it is rejected from now on'),
  })
  .meta({ id: 'IssuedToken' })
/** The longest time for which two ERP tokens are accepted: a week. */
export const MAX_OVERLAP_MINUTES = 10_080
export const tokenIssue = z
  .strictObject({
    overlap_minutes: integer(0, MAX_OVERLAP_MINUTES)
      .optional()
      .describe('minutes for which the token before it is accepted as well; 0 unless given'),
  })
  .meta({ id: 'TokenIssue' })
export type IssuedToken = z.infer<typeof issuedToken>

/** `GET /settings`. */
export const settingsView = settings
  .extend({
    erp_token: tokenStamp
      .extend({
        previous: z
          .object({ last4: z.string().meta({ example: 'I4mM' }), valid_until: z.iso.datetime() })
          .meta({ id: 'PreviousToken' })
          .optional()
          .describe('the token before it, while it is accepted as well'),
      })
      .meta({ id: 'ErpToken' })
      .nullable(),
    b2b_token: tokenStamp.extend({ token: z.string().optional() }).meta({ id: 'B2bToken' }).nullable(),
  })
  .meta({ id: 'Settings' })
export type SettingsView = z.infer<typeof settingsView>

/** The settings that a call carries in `x-settings`, as of its admission (architecture.md#bus). */
const callSettingsFields = {
  erp_storage_id: true,
  erp_pick_up_point_id: true,
  erp_error_policy: true,
  erp_max_batch_items: true,
  media_allowed_hosts: true,
  media_wait_ms: true,
  storages_for_crosses: true,
  'price-lists.import.max_file_size': true,
  admin_locale: true,
  retention_days: true,
} as const

/**
 * Not strict: during an upgrade a newer gateway sends settings that an older service does not know. They are ignored.
 */
export const callSettings = z.object(settingsFields).pick(callSettingsFields).extend({
  /** absent: from a gateway of an earlier release */
  maintenance: settingsFields.maintenance.optional(),
})
export type CallSettings = Readonly<z.infer<typeof callSettings>>

/** The part of the settings that travels with calls to the services. */
export function pickCallSettings(values: Settings): CallSettings {
  return callSettings.parse(
    Object.fromEntries(Object.keys(callSettings.shape).map((name) => [name, values[name as keyof Settings]])),
  )
}

export const defaultCallSettings: CallSettings = callSettings.parse(defaultSettings)

/**
 * The settings of a call as a service receives them. A newer gateway may also send a value that an older service does
 * not know, like another language: then the default is used.
 */
export function readCallSettings(received: unknown): CallSettings {
  if (typeof received !== 'object' || received === null) return defaultCallSettings
  const known = Object.entries(callSettings.shape).flatMap(([name, schema]) => {
    const { success, data } = schema.safeParse((received as Record<string, unknown>)[name])
    return success && data !== undefined ? [[name, data] as const] : []
  })
  return Object.freeze({ ...defaultCallSettings, ...Object.fromEntries(known) })
}

/** Of the items of one call. */
export function batchLimits({ erp_error_policy, erp_max_batch_items }: CallSettings) {
  return { errorPolicy: erp_error_policy, maxItems: erp_max_batch_items }
}

/** One line of the audit log (admin.md#audit). Entries of earlier releases have null where they lack a field. */
export const auditEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    actor: z
      .string()
      .describe('name of the administrator; `admin`: the holder of `ADMIN_TOKEN`')
      .meta({ example: 'anna' }),
    actor_id: z.int().nullable(),
    action: z.string().describe('`<entity>.<verb>`').meta({ example: 'storage.patch' }),
    entity: z.string().nullable().describe('the kind of resource that was changed').meta({ example: 'storage' }),
    entity_id: z.union([z.int(), z.string()]).nullable(),
    request_id: z
      .string()
      .nullable()
      .describe('`x-request-id` of the request')
      .meta({ example: '0f6e2f0a-7d55-4c3f-9b1e-2a7a5f1d9c10' }),
    address: z.string().nullable().describe('of the client').meta({ example: '203.0.113.9' }),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof auditEntry>

/** `GET /audit`. */
export const auditRequest = pageRequest.extend({
  actor: plainText(191).optional().describe('name of the administrator'),
  action: plainText(191).optional().describe('beginning of the action, like `price-list.`'),
  entity: plainText(191).optional().describe('only changes of this kind of resource'),
  entity_id: plainText(191).optional().describe('only changes of the resource with this id'),
  request_id: plainText(191).optional().describe('all that one request changed'),
  from: dateText().optional().describe('entries at this instant or later'),
  to: dateText().optional().describe('entries before this instant'),
})
export type AuditRequest = z.infer<typeof auditRequest>
