import { useTexts } from '../texts/language.js'
import { Chips } from '../ui/chips.js'
import { Select, SelectMany } from '../ui/select.js'
import { Check, Choice } from '../ui/field.js'
import { TextFields } from '../ui/text-fields.js'
import type { FormFields } from '../ui/use-resource-form.js'
import { useAllPoints, useAllStorages } from './set-up-calls.js'
import type { SettingsDraft } from './settings-draft.js'

type FieldsProps = FormFields<SettingsDraft>

export function ErpFields(props: FieldsProps) {
  const { draft, changed, labels, isDisabled, onChange } = props
  const words = useTexts().setUp.settings
  const storages = useAllStorages().filter(({ supplier }) => supplier.kind === 'own-stock')
  const points = useAllPoints()
  return (
    <>
      <Check
        isSwitch
        label={words.enabled.erp}
        hint={words.enabledHint}
        isOn={draft.erp_enabled}
        disabled={isDisabled}
        onChange={(erp_enabled) => onChange({ erp_enabled })}
      />
      <div className="fields">
        <Select
          label={words.storage}
          path="erp_storage_id"
          isChanged={changed.includes('erp_storage_id')}
          options={storages.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.erp_storage_id}
          isDisabled={isDisabled}
          onChange={(erp_storage_id) => onChange({ erp_storage_id })}
        />
        <Select
          label={words.point}
          path="erp_pick_up_point_id"
          isChanged={changed.includes('erp_pick_up_point_id')}
          options={points.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.erp_pick_up_point_id}
          isDisabled={isDisabled}
          onChange={(erp_pick_up_point_id) => onChange({ erp_pick_up_point_id })}
        />
      </div>
      <Chips
        label={words.allowed}
        hint={words.allowedHint}
        path="erp_allowed_ips"
        isChanged={changed.includes('erp_allowed_ips')}
        values={draft.erp_allowed_ips}
        onChange={(erp_allowed_ips) => onChange({ erp_allowed_ips })}
      />
      <Choice
        label={labels.erp_error_policy}
        value={draft.erp_error_policy}
        options={(['reject_batch', 'reject_failed_rows'] as const).map((value) => ({
          value,
          label: words.policies[value],
        }))}
        onChange={(erp_error_policy) => onChange({ erp_error_policy })}
      />
      <div className="fields">
        <TextFields
          {...props}
          inputMode="decimal"
          names={['erp_max_batch_items', 'erp_rate_limit']}
          hints={{ erp_rate_limit: words.rateHint }}
        />
      </div>
    </>
  )
}

export function PartnerFields(props: FieldsProps) {
  const { draft, changed, isDisabled, onChange } = props
  const t = useTexts()
  const words = t.setUp.settings
  const storages = useAllStorages()
  return (
    <>
      <Check
        isSwitch
        label={words.enabled.b2b}
        hint={words.enabledHint}
        isOn={draft.b2b_enabled}
        disabled={isDisabled}
        onChange={(b2b_enabled) => onChange({ b2b_enabled })}
      />
      <SelectMany
        label={words.crosses}
        hint={words.crossesHint}
        path="storages_for_crosses"
        isChanged={changed.includes('storages_for_crosses')}
        options={storages.map(({ id, name, supplier }) => ({
          value: id,
          label: name,
          note: t.setUp.storages.kinds[supplier.kind],
        }))}
        values={draft.storages_for_crosses}
        isDisabled={isDisabled}
        onChange={(storages_for_crosses) => onChange({ storages_for_crosses })}
      />
      <TextFields
        {...props}
        inputMode="decimal"
        names={['b2b_rate_limit']}
        hints={{ b2b_rate_limit: words.rateHint }}
      />
    </>
  )
}

export function FileFields(props: FieldsProps) {
  const words = useTexts().setUp.settings
  const { draft, changed, onChange } = props
  return (
    <>
      <div className="fields">
        <TextFields {...props} inputMode="decimal" names={['price-lists.import.max_file_size', 'media_wait_ms']} />
      </div>
      <Chips
        label={words.hosts}
        hint={words.hostsHint}
        path="media_allowed_hosts"
        isChanged={changed.includes('media_allowed_hosts')}
        values={draft.media_allowed_hosts}
        onChange={(media_allowed_hosts) => onChange({ media_allowed_hosts })}
      />
    </>
  )
}

export function GeneralFields(props: FieldsProps) {
  const words = useTexts().setUp.settings
  const { draft, onChange } = props
  return (
    <>
      <Choice
        label={words.locale}
        value={draft.admin_locale}
        options={(['en', 'ru'] as const).map((value) => ({ value, label: words.locales[value] }))}
        onChange={(admin_locale) => onChange({ admin_locale })}
      />
      <p className="muted small">{words.localeHint}</p>
      <div className="fields">
        <TextFields {...props} inputMode="decimal" names={['retention_days', 'audit_retention_days']} />
      </div>
      <TextFields
        {...props}
        names={['maintenance']}
        hints={{ maintenance: words.maintenanceHint }}
        isLong={['maintenance']}
      />
    </>
  )
}
