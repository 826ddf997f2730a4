import { type FormEvent, useState } from 'react'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { Field } from '../ui/field.js'
import { RefusalNotice } from '../ui/refusal.js'
import { toast } from '../ui/toast.js'
import { useFormats } from '../ui/use-formats.js'
import { ViolationsProvider, ViolationsSummary } from '../ui/violations.js'
import { type SupplyRow, useSaveSupply } from './catalog-calls.js'
import { isPrice, readDraft, SUPPLY_FIELDS, type SupplyField, toDraft } from './supply-draft.js'

interface SupplyDialogProps {
  supply: SupplyRow
  /** its name */
  storage: string
  onClose: () => void
}

/** The prices and counts that the ERP does not write. */
export function SupplyDialog({ supply, storage, onClose }: SupplyDialogProps) {
  const t = useTexts()
  const formats = useFormats()
  const [draft, setDraft] = useState(() => toDraft(supply, String))
  const [isChecked, setIsChecked] = useState(false)
  const save = useSaveSupply(() => {
    toast(t.catalog.supplies.saved)
    onClose()
  })
  const { invalid, patch } = readDraft(draft, supply)
  const labels: Record<SupplyField, string> = {
    selling_price: t.catalog.supplies.selling,
    old_price: t.catalog.supplies.old,
    purchase_price: t.catalog.supplies.purchase,
    reserved: t.catalog.supplies.reserved,
    shipped: t.catalog.supplies.shipped,
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsChecked(true)
    if (invalid.length === 0) save.mutate({ id: supply.id, patch })
  }
  return (
    <Dialog title={t.catalog.supplies.edit(storage)} onClose={onClose}>
      <ViolationsProvider error={save.error} check={{ path: 'PATCH /supplies/:id', body: patch }}>
        <form className="stack" onSubmit={submit}>
          <ViolationsSummary labels={labels} />
          {save.error !== null && <RefusalNotice error={save.error} />}
          <div className="fields">
            {SUPPLY_FIELDS.map((field) => (
              <Field
                key={field}
                path={field}
                label={labels[field]}
                isChanged={field in patch}
                hint={isPrice(field) && supply[field] !== null ? formats.amount(supply[field] ?? 0) : undefined}
                error={isChecked && invalid.includes(field) ? t.catalog.supplies.noNumber : undefined}
              >
                {(control) => (
                  <input
                    {...control}
                    inputMode="decimal"
                    autoComplete="off"
                    value={draft[field]}
                    onChange={(event) => setDraft({ ...draft, [field]: event.target.value })}
                  />
                )}
              </Field>
            ))}
          </div>
          <div className="actions">
            <Button onClick={onClose}>{t.general.cancel}</Button>
            <Button
              type="submit"
              kind="primary"
              isWrite
              isBusy={save.isPending}
              disabled={invalid.length === 0 && Object.keys(patch).length === 0}
            >
              {t.general.save}
            </Button>
          </div>
        </form>
      </ViolationsProvider>
    </Dialog>
  )
}
