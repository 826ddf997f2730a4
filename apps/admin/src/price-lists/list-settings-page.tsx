import { useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useMay } from '../session/session.js'
import { AnswerError } from '@partsbus/client/answer-error'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Confirm } from '../ui/confirm.js'
import { ConflictDialog } from '../ui/conflict-dialog.js'
import { Check, Choice, Field } from '../ui/field.js'
import { Panel } from '../ui/panel.js'
import { RefusalNotice } from '../ui/refusal.js'
import { toast } from '../ui/toast.js'
import { UnsavedGuard } from '../ui/unsaved-guard.js'
import { useDraft } from '../ui/use-draft.js'
import { ViolationsProvider, ViolationsSummary } from '../ui/violations.js'
import { readSettings, type SettingsDraft, toSettingsDraft } from './list-settings.js'
import { type PriceList, useDeleteList, useSaveList } from './price-list-calls.js'
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
  const [stored, setStored] = useState(list)
  if (stored !== list) setStored(list)
  const form = useDraft<SettingsDraft>(toSettingsDraft(list), revision)
  const save = useSaveList(list.id, () => toast(words.saved))
  const { invalid, patch } = readSettings(form.draft, form.base)
  const labels = {
    name: t.priceLists.name,
    markup_percent: words.markup,
    delivery_days: words.deliveryDays,
    min_rows_ratio: words.guard,
    mode: t.priceLists.mode,
    is_active: words.activate,
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (invalid.length > 0) return
    save.mutate(
      { patch, ifMatch: form.revision },
      { onSuccess: ({ answer, etag }) => form.rebase(toSettingsDraft(answer), etag) },
    )
  }
  const conflict = save.error instanceof AnswerError && save.error.status === 412 ? save.error : undefined
  const input = (name: 'markup_percent' | 'delivery_days' | 'min_rows_ratio', hint?: string) => (
    <Field
      label={labels[name]}
      path={name}
      hint={hint}
      isChanged={form.changed.includes(name)}
      error={invalid.includes(name) ? words.noNumber : undefined}
    >
      {(control) => (
        <input
          {...control}
          inputMode="decimal"
          autoComplete="off"
          disabled={!mayChange}
          value={form.draft[name]}
          onChange={(event) => form.change({ [name]: event.target.value })}
        />
      )}
    </Field>
  )
  return (
    <>
      <ViolationsProvider error={save.error}>
        <Panel>
          <form className="stack" onSubmit={submit}>
            <ViolationsSummary labels={labels} />
            {save.error !== null && !conflict && <RefusalNotice error={save.error} />}
            <Field label={labels.name} path="name" isRequired isChanged={form.changed.includes('name')}>
              {(control) => (
                <input
                  {...control}
                  disabled={!mayChange}
                  value={form.draft.name}
                  onChange={(event) => form.change({ name: event.target.value })}
                />
              )}
            </Field>
            <div className="fields">
              {input('markup_percent')}
              {input('delivery_days', words.deliveryHint)}
              {input('min_rows_ratio', `${words.percent}. ${words.guardHint}`)}
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
            {mayChange && (
              <div className="actions">
                <Button disabled={!form.isDirty} onClick={form.discard}>
                  {t.general.discard}
                </Button>
                <Button
                  type="submit"
                  kind="primary"
                  isWrite
                  isBusy={save.isPending}
                  disabled={!form.isDirty || invalid.length > 0}
                >
                  {t.general.save}
                </Button>
              </div>
            )}
          </form>
        </Panel>
      </ViolationsProvider>
      {mayChange && <DeletePanel list={list} />}
      <UnsavedGuard changes={form.changed.length} />
      {conflict && (
        <ConflictDialog
          base={form.base}
          draft={form.draft}
          current={toSettingsDraft(conflict.current as PriceList)}
          labels={labels}
          onClose={save.reset}
          onResolve={(next) => {
            form.rebase(toSettingsDraft(list), revision, next)
            save.reset()
          }}
        />
      )}
    </>
  )
}

function DeletePanel({ list: { id, name } }: { list: PriceList }) {
  const t = useTexts()
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const remove = useDeleteList(id, () => void navigate({ to: '/price-lists' }))
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
          onConfirm={() => remove.mutate(undefined)}
          onClose={() => setIsAsking(false)}
        >
          <p>{t.priceLists.settings.deleteText}</p>
        </Confirm>
      )}
    </Panel>
  )
}
