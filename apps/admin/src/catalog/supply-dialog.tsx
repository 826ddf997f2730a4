import { useMemo } from 'react'
import { useTexts } from '../texts/language.js'
import { Dialog } from '../ui/dialog.js'
import { EditForm } from '../ui/edit-form.js'
import { Loaded } from '../ui/state.js'
import { TextFields } from '../ui/text-fields.js'
import { toast } from '../ui/toast.js'
import { useDraft } from '../ui/use-draft.js'
import { useFormats } from '../ui/use-formats.js'
import { type SupplyRow, useSaveSupply, useSupply } from './catalog-calls.js'
import { isPrice, readDraft, SUPPLY_FIELDS, toDraft } from './supply-draft.js'

interface SupplyDialogProps {
  id: number
  /** its name */
  storage: string
  onClose: () => void
}

/** The prices and counts that the ERP does not write. */
export function SupplyDialog({ id, storage, onClose }: SupplyDialogProps) {
  const words = useTexts().catalog.supplies
  const supply = useSupply(id)
  return (
    <Dialog title={words.edit(storage)} onClose={onClose}>
      <Loaded from={supply} part="supplies" gone={{ what: words.gone(id), link: undefined }}>
        {({ answer, etag }) => <SupplyForm supply={answer} revision={etag} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

interface SupplyFormProps {
  supply: SupplyRow
  revision: string | null
  onClose: () => void
}

function SupplyForm({ supply, revision, onClose }: SupplyFormProps) {
  const words = useTexts().catalog.supplies
  const formats = useFormats()
  const stored = useMemo(() => toDraft(supply), [supply])
  const form = useDraft(stored, revision)
  const save = useSaveSupply(supply.id, () => {
    toast(words.saved)
    onClose()
  })
  const { invalid, patch } = readDraft(form.draft, form.base)
  const labels = {
    selling_price: words.selling,
    old_price: words.old,
    purchase_price: words.purchase,
    reserved: words.reserved,
    shipped: words.shipped,
  }
  const hints = SUPPLY_FIELDS.filter((field) => isPrice(field) && supply[field] !== null)
  return (
    <EditForm
      form={form}
      labels={labels}
      error={save.error}
      check={{ path: 'PATCH /supplies/:id', body: patch }}
      isBusy={save.isPending || save.isSuccess}
      isReady={invalid.length === 0}
      onSave={() => save.mutate({ patch, ifMatch: form.revision })}
      onCancel={onClose}
      readCurrent={(current) => toDraft(current as SupplyRow)}
      onConflictOver={save.reset}
    >
      <div className="fields">
        <TextFields
          names={SUPPLY_FIELDS}
          draft={form.draft}
          labels={labels}
          hints={Object.fromEntries(hints.map((field) => [field, formats.amount(supply[field] ?? 0)]))}
          errors={Object.fromEntries(invalid.map((field) => [field, words.noNumber]))}
          changed={form.changed}
          isDisabled={false}
          inputMode="decimal"
          onChange={form.change}
        />
      </div>
    </EditForm>
  )
}
