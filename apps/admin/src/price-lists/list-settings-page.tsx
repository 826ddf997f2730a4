import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../calls/session.js'
import { useDelete } from '../calls/use-call.js'
import { useReferences } from '../calls/use-overview.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Confirm } from '../ui/confirm.js'
import { EditForm } from '../ui/edit-form.js'
import { Check, Choice } from '../ui/field.js'
import { Panel } from '../ui/panel.js'
import { TextFields } from '../ui/text-fields.js'
import { toast } from '../ui/toast.js'
import { useResourceForm } from '../ui/use-resource-form.js'
import { ApplyNow } from './apply-now.js'
import { readSettings, toSettingsDraft } from './list-settings.js'
import { type PriceList, staleLists } from './price-list-calls.js'
import { PriceListFrame } from './price-list-frame.js'

export function ListSettingsPage() {
  const id = Number(useParams({ from: '/frame/price-lists/$id/settings' }).id)
  return (
    <PriceListFrame id={id}>
      {(list, revision) => <SettingsForm key={id} list={list} revision={revision} />}
    </PriceListFrame>
  )
}

function SettingsForm({ list, revision }: { list: PriceList; revision: string | null }) {
  const t = useTexts()
  const words = t.priceLists.settings
  const mayChange = useMay('manager')
  const labels = {
    name: t.priceLists.name,
    markup_percent: words.markup,
    delivery_days: words.deliveryDays,
    min_rows_ratio: words.guard,
    mode: t.priceLists.mode,
    is_active: words.activate,
  }
  const { form, edit, fields, save } = useResourceForm({
    path: 'PATCH /price-lists/:id',
    params: { id: list.id },
    resource: list,
    revision,
    toDraft: toSettingsDraft,
    read: readSettings,
    labels,
    mayChange,
    stale: staleLists,
    onSaved: () => toast(words.saved),
  })
  const sent = save.isSuccess ? save.variables.body : {}
  return (
    <>
      <Panel>
        <div className="stack">
          <EditForm {...edit}>
            <TextFields {...fields} names={['name']} isRequired={['name']} />
            <div className="fields">
              <TextFields
                {...fields}
                names={['markup_percent', 'delivery_days', 'min_rows_ratio']}
                hints={{
                  markup_percent: words.nextImport,
                  delivery_days: `${words.deliveryHint} ${words.nextImport}`,
                  min_rows_ratio: `${words.percent}. ${words.guardHint}`,
                }}
                inputMode="decimal"
              />
            </div>
            <Choice
              label={labels.mode}
              value={form.draft.mode}
              options={(['replace', 'merge'] as const).map((value) => ({ value, label: t.priceLists.modes[value] }))}
              onChange={(mode) => form.change({ mode })}
            />
            <Check
              isSwitch
              label={words.activate}
              hint={words.activateHint}
              isOn={form.draft.is_active}
              disabled={!mayChange}
              onChange={(is_active) => form.change({ is_active })}
            />
          </EditForm>
          {mayChange && (
            <ApplyNow
              list={list}
              isDirty={form.isDirty}
              isChanged={'markup_percent' in sent || 'delivery_days' in sent}
            />
          )}
        </div>
      </Panel>
      {mayChange && <DeletePanel list={list} revision={revision} />}
    </>
  )
}

function DeletePanel({ list: { id, name, storage_id }, revision }: { list: PriceList; revision: string | null }) {
  const t = useTexts()
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const storages = useReferences().data?.storages ?? []
  const remove = useDelete('DELETE /price-lists/:id', {
    query: { with_history: true },
    stale: staleLists,
    onDone: () => void navigate({ to: '/price-lists' }),
  })
  return (
    <Panel title={t.priceLists.settings.dangerous}>
      <Button kind="danger" isWrite onClick={() => setIsAsking(true)}>
        {t.priceLists.settings.deleteAct}
      </Button>
      {isAsking && (
        <Confirm
          title={t.priceLists.settings.deleteTitle(name)}
          act={t.priceLists.settings.deleteAct}
          word={name}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ id, ifMatch: revision })}
          onClose={() => setIsAsking(false)}
        >
          <p>{t.priceLists.settings.deleteText}</p>
          <p>
            {t.priceLists.settings.storageStays}{' '}
            <Link to="/storages/$id" params={{ id: String(storage_id) }}>
              {storages.find((storage) => storage.id === storage_id)?.name ?? storage_id}
            </Link>
          </p>
        </Confirm>
      )}
    </Panel>
  )
}
