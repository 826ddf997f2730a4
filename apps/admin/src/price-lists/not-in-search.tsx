import { useMay } from '../calls/session.js'
import { admin } from '../calls/admin-client.js'
import { useWrite } from '../calls/use-call.js'
import { useReferences } from '../calls/use-overview.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Badge } from '../ui/mark.js'
import { Notice } from '../ui/panel.js'
import { RefusalNotice } from '../ui/refusal.js'
import { toast } from '../ui/toast.js'
import { findUnsearched } from './find-unsearched.js'

/* Live price lists whose offers no search finds, and how that is mended (admin.md#storage-in-search). */

/** The storage, if no search asks it and including it helps. */
const useUnsearched = (storageId: number | undefined) => findUnsearched(useReferences().data?.storages ?? [], storageId)

/** Adds storages to the search, for those who may. */
export function IncludeInSearch({ storageIds, onDone }: { storageIds: number[]; onDone?: () => void }) {
  const t = useTexts()
  const mayInclude = useMay('manager')
  const include = useWrite(
    async (ids: number[]) => {
      for (const id of ids) await admin('POST /storages/:id/in-search', { params: { id } })
    },
    {
      stale: ['GET /references', 'GET /overview', 'GET /settings'],
      onDone: () => {
        toast(t.general.notInSearch.included)
        onDone?.()
      },
    },
  )
  if (!mayInclude) return null
  return (
    <>
      {include.error !== null && <RefusalNotice error={include.error} />}
      <Button isSmall isWrite isBusy={include.isPending} onClick={() => include.mutate(storageIds)}>
        {t.general.notInSearch.include}
      </Button>
    </>
  )
}

/** In a table. */
export function NotInSearchBadge({ storageId }: { storageId: number }) {
  const t = useTexts()
  if (!useUnsearched(storageId)) return null
  return (
    <>
      <Badge tone="warning">{t.general.notInSearch.badge}</Badge>
      <IncludeInSearch storageIds={[storageId]} />
    </>
  )
}

/** On a page. */
export function NotInSearchNotice({ storageId }: { storageId: number | undefined }) {
  const t = useTexts()
  const storage = useUnsearched(storageId)
  if (!storage) return null
  return (
    <Notice tone="warning" title={t.general.notInSearch.title(storage.name)}>
      <div className="row">
        <IncludeInSearch storageIds={[storage.id]} />
      </div>
    </Notice>
  )
}
