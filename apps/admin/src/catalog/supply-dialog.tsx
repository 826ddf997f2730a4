import { useRevision } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Dialog } from '../ui/dialog.js'
import { EditForm } from '../ui/edit-form.js'
import { Loaded } from '../ui/state.js'
import { TextFields } from '../ui/text-fields.js'
import { toast } from '../ui/toast.js'
import { useFormats } from '../ui/use-formats.js'
import { useResourceForm } from '../ui/use-resource-form.js'
import { type SupplyRow } from './catalog-calls.js'
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
  const supply = useRevision('GET /supplies/:id', { params: { id } })
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
  const labels = {
    selling_price: words.selling,
    old_price: words.old,
    purchase_price: words.purchase,
    reserved: words.reserved,
    shipped: words.shipped,
  }
  const { edit, fields } = useResourceForm({
    path: 'PATCH /supplies/:id',
    params: { id: supply.id },
    resource: supply,
    revision,
    toDraft,
    read: readDraft,
    labels,
    isLeft: true,
    stale: ['GET /supplies'],
    onSaved: () => {
      toast(words.saved)
      onClose()
    },
  })
  const hints = SUPPLY_FIELDS.filter((field) => isPrice(field) && supply[field] !== null)
  return (
    <EditForm {...edit} onCancel={onClose}>
      <div className="fields">
        <TextFields
          {...fields}
          names={SUPPLY_FIELDS}
          hints={Object.fromEntries(hints.map((field) => [field, formats.amount(supply[field] ?? 0)]))}
          inputMode="decimal"
        />
      </div>
    </EditForm>
  )
}
