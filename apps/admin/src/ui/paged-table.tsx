import type { ComponentProps } from 'react'
import { Pagination } from './pagination.js'
import { Panel } from './panel.js'
import { Table, type TableProps } from './table.js'

interface PagedTableProps<Row> extends TableProps<Row>, Pick<ComponentProps<typeof Panel>, 'title' | 'actions'> {
  page: number
  perPage: number
  /** null where it was not counted */
  total: number | null
  onPage: (page: number) => void
}

/** A page of rows in a panel of its own, with the way to the others. */
export function PagedTable<Row>({ title, actions, page, perPage, total, onPage, ...table }: PagedTableProps<Row>) {
  return (
    <Panel title={title} actions={actions} isFlush>
      <Table {...table} />
      {total !== 0 && (
        <Pagination page={page} perPage={perPage} total={total} shown={table.rows.length} onPage={onPage} />
      )}
    </Panel>
  )
}
