import { useTexts } from '../texts/language.js'
import { Chips } from '../ui/chips.js'
import { Select, SelectMany } from '../ui/select.js'
import { Check, Choice } from '../ui/field.js'
import { TextFields } from '../ui/text-fields.js'
import type { useDraft } from '../ui/use-draft.js'
import { useAllPoints, useAllStorages } from './set-up-calls.js'
import type { NumberSetting, SettingsDraft } from './settings-draft.js'

interface FieldsProps {
  form: ReturnType<typeof useDraft<SettingsDraft>>
  labels: Record<string, string>
  invalid: NumberSetting[]
  isDisabled: boolean
}

function Numbers({
  names,
  hints,
  form,
  labels,
  invalid,
  isDisabled,
}: FieldsProps & { names: NumberSetting[]; hints?: Partial<Record<NumberSetting, string>> }) {
  const t = useTexts()
  return (
    <TextFields<NumberSetting>
      names={names}
      draft={form.draft}
      labels={labels}
      {...(hints && { hints })}
      errors={Object.fromEntries(invalid.map((name) => [name, t.setUp.storages.noNumber]))}
      changed={form.changed}
      isDisabled={isDisabled}
      inputMode="decimal"
      onChange={form.change}
    />
  )
}

export function ErpFields(props: FieldsProps) {
  const { form, labels, isDisabled } = props
  const words = useTexts().setUp.settings
  const storages = useAllStorages().filter(({ supplier }) => supplier.kind === 'own-stock')
  const points = useAllPoints()
  const { draft, changed } = form
  return (
    <>
      <Check
        isSwitch
        label={words.enabled.erp}
        hint={words.enabledHint}
        isOn={draft.erp_enabled}
        disabled={isDisabled}
        onChange={(erp_enabled) => form.change({ erp_enabled })}
      />
      <div className="fields">
        <Select
          label={words.storage}
          path="erp_storage_id"
          isChanged={changed.includes('erp_storage_id')}
          options={storages.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.erp_storage_id}
          isDisabled={isDisabled}
          onChange={(erp_storage_id) => form.change({ erp_storage_id })}
        />
        <Select
          label={words.point}
          path="erp_pick_up_point_id"
          isChanged={changed.includes('erp_pick_up_point_id')}
          options={points.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.erp_pick_up_point_id}
          isDisabled={isDisabled}
          onChange={(erp_pick_up_point_id) => form.change({ erp_pick_up_point_id })}
        />
      </div>
      <Chips
        label={words.allowed}
        hint={words.allowedHint}
        path="erp_allowed_ips"
        isChanged={changed.includes('erp_allowed_ips')}
        values={draft.erp_allowed_ips}
        onChange={(erp_allowed_ips) => form.change({ erp_allowed_ips })}
      />
      <Choice
        label={labels.erp_error_policy}
        value={draft.erp_error_policy}
        options={(['reject_batch', 'reject_failed_rows'] as const).map((value) => ({
          value,
          label: words.policies[value],
        }))}
        onChange={(erp_error_policy) => form.change({ erp_error_policy })}
      />
      <div className="fields">
        <Numbers
          {...props}
          names={['erp_max_batch_items', 'erp_rate_limit']}
          hints={{ erp_rate_limit: words.rateHint }}
        />
      </div>
    </>
  )
}

export function PartnerFields(props: FieldsProps) {
  const { form, isDisabled } = props
  const t = useTexts()
  const words = t.setUp.settings
  const storages = useAllStorages()
  return (
    <>
      <Check
        isSwitch
        label={words.enabled.b2b}
        hint={words.enabledHint}
        isOn={form.draft.b2b_enabled}
        disabled={isDisabled}
        onChange={(b2b_enabled) => form.change({ b2b_enabled })}
      />
      <SelectMany
        label={words.crosses}
        hint={words.crossesHint}
        path="storages_for_crosses"
        isChanged={form.changed.includes('storages_for_crosses')}
        options={storages.map(({ id, name, supplier }) => ({
          value: id,
          label: name,
          note: t.setUp.storages.kinds[supplier.kind],
        }))}
        values={form.draft.storages_for_crosses}
        isDisabled={isDisabled}
        onChange={(storages_for_crosses) => form.change({ storages_for_crosses })}
      />
      <Numbers {...props} names={['b2b_rate_limit']} hints={{ b2b_rate_limit: words.rateHint }} />
    </>
  )
}

export function FileFields(props: FieldsProps) {
  const words = useTexts().setUp.settings
  const { form } = props
  return (
    <>
      <div className="fields">
        <Numbers {...props} names={['price-lists.import.max_file_size', 'media_wait_ms']} />
      </div>
      <Chips
        label={words.hosts}
        hint={words.hostsHint}
        path="media_allowed_hosts"
        isChanged={form.changed.includes('media_allowed_hosts')}
        values={form.draft.media_allowed_hosts}
        onChange={(media_allowed_hosts) => form.change({ media_allowed_hosts })}
      />
    </>
  )
}

export function GeneralFields(props: FieldsProps) {
  const words = useTexts().setUp.settings
  const { form, labels, isDisabled } = props
  return (
    <>
      <Choice
        label={words.locale}
        value={form.draft.admin_locale}
        options={(['en', 'ru'] as const).map((value) => ({ value, label: words.locales[value] }))}
        onChange={(admin_locale) => form.change({ admin_locale })}
      />
      <div className="fields">
        <Numbers {...props} names={['retention_days', 'audit_retention_days']} />
      </div>
      <TextFields
        names={['maintenance']}
        draft={form.draft}
        labels={labels}
        hints={{ maintenance: words.maintenanceHint }}
        changed={form.changed}
        isDisabled={isDisabled}
        isLong={['maintenance']}
        onChange={form.change}
      />
    </>
  )
}
