import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { readNumbers, showNumbers } from '../ui/draft-fields.js'
import { Field } from '../ui/field.js'
import { RefusalNotice } from '../ui/refusal.js'
import { TextFields } from '../ui/text-fields.js'
import { ViolationsProvider, ViolationsSummary } from '../ui/violations.js'
import { useMay } from '../calls/session.js'
import { useCreateList, useStorages } from './price-list-calls.js'

/** A later file with less than this share of the live offers is refused unless a person decides otherwise. */
const GUARD = { min_rows_ratio: { blank: null, scale: 100 } } as const

interface NewListDialogProps {
  /** to be uploaded to the list: its name is proposed for it */
  file?: File | undefined
  onCreated?: ((id: number) => void) | undefined
  onClose: () => void
}

/** A list, and its storage where an owner has none of that kind yet. */
export function NewListDialog({ file, onCreated, onClose }: NewListDialogProps) {
  const t = useTexts()
  const navigate = useNavigate()
  const mayCreateStorage = useMay('owner')
  const [name, setName] = useState(file?.name.replace(/\.[^.]*$/, '') ?? '')
  const [chosen, setChosen] = useState<number | 'new'>()
  const [storageName, setStorageName] = useState('')
  const [guard, setGuard] = useState(showNumbers(GUARD, { min_rows_ratio: 0.5 }))
  const { numbers, invalid } = readNumbers(GUARD, guard)
  const create = useCreateList(({ id }) =>
    onCreated ? onCreated(id) : void navigate({ to: '/price-lists/$id', params: { id: String(id) } }),
  )
  const storages = useStorages()
  const usable = (storages.data?.data ?? []).filter(({ supplier }) => supplier.kind === 'price-list')
  const storage = chosen ?? usable[0]?.id ?? (mayCreateStorage ? 'new' : undefined)
  const guardLabel = { min_rows_ratio: t.priceLists.settings.guard }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (storage === undefined || invalid.length > 0) return
    create.mutate({ name, storage_id: storage === 'new' ? null : storage, storageName, ...numbers })
  }
  return (
    <Dialog title={t.priceLists.newList} onClose={onClose}>
      <ViolationsProvider
        error={create.error}
        check={{
          path: 'POST /price-lists',
          body: { name, storage_id: typeof storage === 'number' ? storage : 1, ...numbers },
        }}
      >
        <form className="stack" onSubmit={submit}>
          <ViolationsSummary labels={{ name: t.priceLists.name, storage_id: t.priceLists.storage, ...guardLabel }} />
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
            <Button
              type="submit"
              kind="primary"
              isWrite
              isBusy={create.isPending}
              disabled={storage === undefined || invalid.length > 0 || (storage === 'new' && storageName.trim() === '')}
            >
              {t.priceLists.create}
            </Button>
          </div>
        </form>
      </ViolationsProvider>
    </Dialog>
  )
}
