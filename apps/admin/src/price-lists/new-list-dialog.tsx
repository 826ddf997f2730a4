import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useReferences } from '../calls/use-overview.js'
import { useSend } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { Check, Field, OptionField } from '../ui/field.js'
import { RefusalNotice } from '../ui/refusal.js'
import { ViolationsProvider, ViolationsSummary } from '../ui/violations.js'
import { staleLists } from './price-list-calls.js'

const NEW = 'new'

/** A list with a storage of its own, unless another one is chosen, and in the search, unless the person says no. */
export function NewListDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState(NEW)
  const [typedStorage, setTypedStorage] = useState<string>()
  const [isShown, setIsShown] = useState(true)
  const create = useSend('POST /price-lists', {
    stale: [...staleLists, 'GET /storages', 'GET /settings'],
    onDone: ({ id }) => void navigate({ to: '/price-lists/$id', params: { id: String(id) } }),
  })
  const storages = (useReferences().data?.storages ?? []).filter(({ kind }) => kind === 'price-list')
  const isInSearch = storages.some(({ id, in_search }) => String(id) === chosen && in_search === true)
  const body = {
    name,
    ...(chosen === NEW ? { storage: { name: typedStorage ?? name } } : { storage_id: Number(chosen) }),
    ...(isShown && { in_search: true }),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({ body })
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
          <div className="actions">
            <Button onClick={onClose}>{t.general.cancel}</Button>
            <Button type="submit" kind="primary" isWrite isBusy={create.isPending}>
              {t.priceLists.create}
            </Button>
          </div>
        </form>
      </ViolationsProvider>
    </Dialog>
  )
}
