import { useState } from 'react'
import { useMay } from '../calls/session.js'
import { useReferences } from '../calls/use-overview.js'
import { useCall } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Amount, Count } from '../ui/amount.js'
import { Button } from '../ui/button.js'
import { Panel } from '../ui/panel.js'
import { Loaded } from '../ui/state.js'
import { Table } from '../ui/table.js'
import { type SupplyRow, ALL } from './catalog-calls.js'
import { SupplyDialog } from './supply-dialog.js'

const nameOf = (list: { id: number; name: string }[] | undefined, id: number) =>
  list?.find((one) => one.id === id)?.name ?? String(id)

/** The supplies of a product: locations, quantities and prices. */
export function Supplies({ erpId }: { erpId: string }) {
  const t = useTexts()
  const mayChange = useMay('manager')
  const supplies = useCall('GET /supplies', { query: { product_erp_id: erpId, per_page: ALL } })
  const names = useReferences()
  const [edited, setEdited] = useState<SupplyRow>()
  const storageOf = ({ storage_id }: SupplyRow) => nameOf(names.data?.storages, storage_id)
  return (
    <Panel title={t.catalog.supplies.title} isFlush={(supplies.data?.data.length ?? 0) > 0}>
      <Loaded from={supplies} part="supplies">
        {({ data }) => (
          <Table
            caption={t.catalog.supplies.title}
            rows={data}
            rowKey={({ id }) => id}
            empty={<p className="muted">{t.catalog.supplies.none}</p>}
            columns={[
              { key: 'storage', head: t.catalog.supplies.storage, isName: true, cell: storageOf },
              {
                key: 'point',
                head: t.catalog.supplies.point,
                isMinor: true,
                cell: ({ pick_up_point_id }) => nameOf(names.data?.pick_up_points, pick_up_point_id),
              },
              count('quantity', t.catalog.supplies.quantity),
              price('selling_price', t.catalog.supplies.selling),
              price('old_price', t.catalog.supplies.old),
              price('purchase_price', t.catalog.supplies.purchase),
              count('reserved', t.catalog.supplies.reserved),
              count('shipped', t.catalog.supplies.shipped),
              count('delivery_days', t.catalog.supplies.days),
              ...(mayChange
                ? [
                    {
                      key: 'change',
                      head: '',
                      cell: (row: SupplyRow) => (
                        <Button
                          isSmall
                          kind="quiet"
                          aria-label={t.catalog.supplies.edit(storageOf(row))}
                          onClick={() => setEdited(row)}
                        >
                          {t.general.change}
                        </Button>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </Loaded>
      {edited && <SupplyDialog id={edited.id} storage={storageOf(edited)} onClose={() => setEdited(undefined)} />}
    </Panel>
  )
}

const count = (key: 'quantity' | 'reserved' | 'shipped' | 'delivery_days', head: string) => ({
  key,
  head,
  isNumber: true,
  cell: (row: SupplyRow) => <Count value={row[key]} />,
})

const price = (key: 'selling_price' | 'old_price' | 'purchase_price', head: string) => ({
  key,
  head,
  isNumber: true,
  cell: (row: SupplyRow) => <Amount value={row[key]} />,
})
