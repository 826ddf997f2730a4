import type { AnswerOf } from '@partsbus/contracts/http/admin'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../texts/language.js'
import { Count } from '../ui/amount.js'
import { Mark } from '../ui/mark.js'
import { Notice, Panel } from '../ui/panel.js'
import { ServerText } from '../ui/server-text.js'
import { Table } from '../ui/table.js'
import { useFormats } from '../ui/use-formats.js'
import { hitsFirst } from './supplier-order.js'

type Supplier = AnswerOf<'POST /search/brands'>['suppliers'][number]

/** The message that partners read if not every supplier answered. */
export function PartialResult({ suppliers }: { suppliers: Supplier[] }) {
  const t = useTexts()
  const failed = suppliers.filter(({ outcome }) => outcome !== 'ok').length
  return failed === 0 ? null : <Notice tone="warning" title={t.search.partial(failed, suppliers.length)} />
}

/** The outcome of each storage and its time. */
export function SupplierOutcomes({ suppliers }: { suppliers: Supplier[] }) {
  const t = useTexts()
  const formats = useFormats()
  if (suppliers.length === 0)
    return (
      <Notice tone="warning" title={t.search.nobodyAsked}>
        <Link to="/settings/b2b">{t.search.toSettings}</Link>
      </Notice>
    )
  return (
    <Panel title={t.search.suppliers} isFlush>
      <Table
        caption={t.search.suppliers}
        rows={hitsFirst(suppliers)}
        rowKey={({ storage_id }) => storage_id}
        columns={[
          { key: 'storage', head: t.search.storage, isName: true, cell: ({ storage_name }) => storage_name },
          {
            key: 'outcome',
            head: t.search.outcome,
            cell: ({ outcome }) => (
              <Mark tone={outcome === 'ok' ? 'good' : 'danger'}>{t.search.outcomes[outcome] ?? outcome}</Mark>
            ),
          },
          {
            key: 'time',
            head: t.search.time,
            isNumber: true,
            cell: ({ ms, from_cache }) => (from_cache ? t.search.fromCache : formats.duration(ms)),
          },
          { key: 'rows', head: t.search.rows, isNumber: true, cell: ({ rows }) => <Count value={rows} /> },
          {
            key: 'reason',
            head: t.search.reason,
            cell: ({ error }) => <ServerText text={error ?? t.general.none} />,
          },
        ]}
      />
    </Panel>
  )
}
