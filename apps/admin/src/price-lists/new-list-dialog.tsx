import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { Field } from '../ui/field.js'
import { RefusalNotice } from '../ui/refusal.js'
import { ViolationsProvider, ViolationsSummary } from '../ui/violations.js'
import { useMay } from '../calls/session.js'
import { useCreateList, useStorages } from './price-list-calls.js'

/** A list, and its storage where an owner has none of that kind yet. */
export function NewListDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts()
  const navigate = useNavigate()
  const mayCreateStorage = useMay('owner')
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<number | 'new'>()
  const [storageName, setStorageName] = useState('')
  const create = useCreateList(({ id }) => void navigate({ to: '/price-lists/$id', params: { id: String(id) } }))
  const storages = useStorages()
  const usable = (storages.data?.data ?? []).filter(({ supplier }) => supplier.kind === 'price-list')
  const storage = chosen ?? usable[0]?.id ?? (mayCreateStorage ? 'new' : undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (storage !== undefined) create.mutate({ name, storage_id: storage === 'new' ? null : storage, storageName })
  }
  return (
    <Dialog title={t.priceLists.newList} onClose={onClose}>
      <ViolationsProvider
        error={create.error}
        check={{ path: 'POST /price-lists', body: { name, storage_id: typeof storage === 'number' ? storage : 1 } }}
      >
        <form className="stack" onSubmit={submit}>
          <ViolationsSummary labels={{ name: t.priceLists.name, storage_id: t.priceLists.storage }} />
          {create.error !== null && <RefusalNotice error={create.error} />}
          <Field label={t.priceLists.name} path="name" isRequired>
            {(control) => <input {...control} value={name} onChange={(event) => setName(event.target.value)} />}
          </Field>
          {storage === undefined ? (
            <p>{t.priceLists.noStorage}</p>
          ) : (
            <Field label={t.priceLists.storage} path="storage_id" hint={t.priceLists.emptyText}>
              {(control) => (
                <select
                  {...control}
                  value={String(storage)}
                  onChange={({ target: { value } }) => setChosen(value === 'new' ? 'new' : Number(value))}
                >
                  {usable.map(({ id, name: label }) => (
                    <option key={id} value={id}>
                      {label}
                    </option>
                  ))}
                  {mayCreateStorage && <option value="new">{t.priceLists.newStorage}</option>}
                </select>
              )}
            </Field>
          )}
          {storage === 'new' && (
            <Field label={t.priceLists.storageName} isRequired>
              {(control) => (
                <input {...control} value={storageName} onChange={(event) => setStorageName(event.target.value)} />
              )}
            </Field>
          )}
          <div className="actions">
            <Button onClick={onClose}>{t.general.cancel}</Button>
            <Button
              type="submit"
              kind="primary"
              isWrite
              isBusy={create.isPending}
              disabled={storage === undefined || (storage === 'new' && storageName.trim() === '')}
            >
              {t.priceLists.create}
            </Button>
          </div>
        </form>
      </ViolationsProvider>
    </Dialog>
  )
}
