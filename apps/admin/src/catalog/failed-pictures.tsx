import { useCall, useSend } from '../calls/use-call.js'
import { ServerText } from '../ui/server-text.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Notice } from '../ui/panel.js'
import { RefusalNotice } from '../ui/refusal.js'
import { useMay } from '../calls/session.js'
import { PER_PAGE, stalePictures } from './catalog-calls.js'

/** How often the downloads of a product are read while there are any, ms. */
const EVERY_MS = 3_000

/** The pictures of a product that could not be fetched, with the reason. */
export function FailedPictures({ erpId }: { erpId: string }) {
  const t = useTexts()
  const mayRetry = useMay('manager')
  const pictures = useCall('GET /media-jobs', {
    query: { erp_id: erpId, page: 1, per_page: PER_PAGE },
    everyMs: EVERY_MS,
  })
  const retry = useSend('POST /media-jobs/:id/retry', { stale: stalePictures })
  const rows = pictures.data?.data ?? []
  if (rows.length === 0) return null
  return (
    <div className="stack-tight">
      {retry.error !== null && <RefusalNotice error={retry.error} />}
      {rows.map(({ id, url, status, last_error, attempts }) => (
        <Notice key={id} tone={status === 'failed' ? 'warning' : 'info'} title={t.catalog.pictures.status[status]}>
          <p className="small">{url}</p>
          {last_error !== null && (
            <p>
              <ServerText text={last_error} />
            </p>
          )}
          <p className="small muted">{t.catalog.pictures.attemptsSoFar(attempts)}</p>
          {status === 'failed' && mayRetry && (
            <Button
              isSmall
              isWrite
              icon="refresh"
              isBusy={retry.isPending}
              onClick={() => retry.mutate({ params: { id } })}
            >
              {t.catalog.pictures.retry}
            </Button>
          )}
        </Notice>
      ))}
    </div>
  )
}
