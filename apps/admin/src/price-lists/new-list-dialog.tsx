import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useReferences } from '../calls/use-overview.js'
import { useSend } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { readNumbers, showNumbers } from '../ui/draft-fields.js'
import { Check, Field, OptionField } from '../ui/field.js'
import { RefusalNotice } from '../ui/refusal.js'
import { TextFields } from '../ui/text-fields.js'
import { ViolationsProvider, ViolationsSummary } from '../ui/violations.js'
import { staleLists } from './price-list-calls.js'

const NEW = 'new'
/** A later file with less than this share of the live offers is refused unless a person decides otherwise. */
const GUARD = { min_rows_ratio: { blank: null, scale: 100 } } as const

interface NewListDialogProps {
  /** to be uploaded to the list: its name is proposed for it */
  file?: File | undefined
  onCreated?: ((id: number) => void) | undefined
  onClose: () => void
}

/** A list with a storage of its own, unless another one is chosen, and in the search, unless the person says no. */
export function NewListDialog({ file, onCreated, onClose }: NewListDialogProps) {
  const t = useTexts()
  const navigate = useNavigate()
  const [name, setName] = useState(file?.name.replace(/\.[^.]*$/, '') ?? '')
  const [chosen, setChosen] = useState(NEW)
  const [typedStorage, setTypedStorage] = useState<string>()
  const [isShown, setIsShown] = useState(true)
  const [guard, setGuard] = useState(showNumbers(GUARD, { min_rows_ratio: 0.5 }))
  const { numbers, invalid } = readNumbers(GUARD, guard)
  const create = useSend('POST /price-lists', {
    stale: [...staleLists, 'GET /storages', 'GET /settings'],
    onDone: ({ id }) =>
      onCreated ? onCreated(id) : void navigate({ to: '/price-lists/$id', params: { id: String(id) } }),
  })
  const storages = (useReferences().data?.storages ?? []).filter(({ kind }) => kind === 'price-list')
  const isInSearch = storages.some(({ id, in_search }) => String(id) === chosen && in_search === true)
  const body = {
    name,
    ...numbers,
    ...(chosen === NEW ? { storage: { name: typedStorage ?? name } } : { storage_id: Number(chosen) }),
    ...(isShown && !isInSearch && { in_search: true }),
  }
  const guardLabel = { min_rows_ratio: t.priceLists.settings.guard }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (invalid.length === 0) create.mutate({ body })
  }
  return (
    <Dialog title={t.priceLists.newList} onClose={onClose}>
      <ViolationsProvider error={create.error} check={{ path: 'POST /price-lists', body }}>
        <form className="stack" onSubmit={submit}>
          <ViolationsSummary
            labels={{
              name: t.priceLists.name,
              storage_id: t.priceLists.storage,
              'storage.name': t.priceLists.storageName,
              ...guardLabel,
            }}
          />
          {create.error !== null && <RefusalNotice error={create.error} />}
          <Field label={t.priceLists.name} path="name" isRequired>
            {(control) => <input {...control} value={name} onChange={(event) => setName(event.target.value)} />}
          </Field>
          <OptionField
            label={t.priceLists.storage}
            path="storage_id"
            hint={t.priceLists.storageHint}
            value={chosen}
            options={[
              { value: NEW, label: t.priceLists.newStorage },
              ...storages.map(({ id, name: label }) => ({ value: String(id), label })),
            ]}
            onChange={setChosen}
          />
          {chosen === NEW && (
            <Field label={t.priceLists.storageName} path="storage.name" isRequired>
              {(control) => (
                <input
                  {...control}
                  value={typedStorage ?? name}
                  onChange={(event) => setTypedStorage(event.target.value)}
                />
              )}
            </Field>
          )}
          {!isInSearch && (
            <Check
              label={t.priceLists.showInSearch}
              hint={t.priceLists.showInSearchHint}
              isOn={isShown}
              onChange={setIsShown}
            />
          )}
          <TextFields
            names={['min_rows_ratio']}
            draft={guard}
            labels={guardLabel}
            hints={{ min_rows_ratio: `${t.priceLists.settings.percent}. ${t.priceLists.settings.guardHint}` }}
            errors={invalid.length > 0 ? { min_rows_ratio: t.general.noNumber } : {}}
            changed={[]}
            isDisabled={false}
            inputMode="decimal"
            onChange={(part) => setGuard({ ...guard, ...part })}
          />
          <div className="actions">
            <Button onClick={onClose}>{t.general.cancel}</Button>
            <Button type="submit" kind="primary" isWrite isBusy={create.isPending} disabled={invalid.length > 0}>
              {t.priceLists.create}
            </Button>
          </div>
        </form>
      </ViolationsProvider>
    </Dialog>
  )
}
