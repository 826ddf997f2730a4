import { createContext, type KeyboardEvent, use, useId, useMemo, useState } from 'react'
import { useCall } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Icon } from '../ui/icon.js'
import { Empty, Loaded, Skeleton } from '../ui/state.js'
import styles from './catalog.module.css'
import { type TreeRow, ALL } from './catalog-calls.js'
import { moveInTree } from './tree-keys.js'

interface TreeState {
  open: ReadonlySet<number>
  chosen: number | undefined
  toggle: (id: number) => void
  choose: (row: TreeRow) => void
}

const Tree = createContext<TreeState | null>(null)

interface CategoryTreeProps extends TreeState {
  /** Where not empty, the categories with this in their name, without their branches. */
  query: string
}

/** The categories; the children of a branch are loaded when it is opened. */
export function CategoryTree({ query, open, chosen, toggle, choose }: CategoryTreeProps) {
  const t = useTexts()
  const state = useMemo(() => ({ open, chosen, toggle, choose }), [open, chosen, toggle, choose])
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const toggleItem = (item: HTMLElement): void => toggle(Number(item.dataset.id))
    if (moveInTree(event.currentTarget, event.key, toggleItem)) event.preventDefault()
  }
  const top: BranchQuery = query === '' ? { parent_id: 'root' } : { q: query }
  // a tree without items is no tree to a screen reader
  const isTree = (useCall('GET /categories', { query: { ...top, page: 1, per_page: ALL } }).data?.data.length ?? 0) > 0
  const tree = isTree ? { role: 'tree', 'aria-label': t.catalog.categories.tree, onKeyDown } : { role: 'presentation' }
  return (
    <Tree value={state}>
      <ul className={styles.tree} {...tree}>
        <Branch query={top} isTop />
      </ul>
    </Tree>
  )
}

type BranchQuery = { parent_id: string } | { q: string }

/** The categories below one, a page after the other. */
function Branch({ query, isTop = false }: { query: BranchQuery; isTop?: boolean }) {
  const [pages, setPages] = useState(1)
  return Array.from({ length: pages }, (_, at) => (
    <BranchPage
      key={at}
      query={query}
      page={at + 1}
      isTop={isTop && at === 0}
      onMore={at + 1 === pages ? () => setPages(pages + 1) : undefined}
    />
  ))
}

interface BranchPageProps {
  query: BranchQuery
  page: number
  isTop: boolean
  onMore: (() => void) | undefined
}

function BranchPage({ query, page, isTop, onMore }: BranchPageProps) {
  const t = useTexts()
  const rows = useCall('GET /categories', { query: { ...query, page, per_page: ALL } })
  const isSearch = 'q' in query
  return (
    <Loaded from={rows} part="categories" skeleton={<Skeleton lines={isTop ? 12 : 2} />}>
      {({ data, total }) => {
        if (data.length === 0 && isTop) {
          return (
            <li role="none">
              <Empty icon="categories" title={isSearch ? t.catalog.categories.nothing : t.catalog.categories.empty} />
            </li>
          )
        }
        return (
          <>
            {data.map((row, at) => (
              <Item key={row.id} row={row} isFirst={isTop && at === 0} />
            ))}
            {onMore && page * data.length < total && data.length > 0 && (
              <li role="none">
                <Button isSmall kind="quiet" icon="down" onClick={onMore}>
                  {t.catalog.categories.more}
                </Button>
              </li>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

function Item({ row, isFirst }: { row: TreeRow; isFirst: boolean }) {
  const t = useTexts()
  const { open, chosen, toggle, choose } = useTree()
  const { id, name, is_active, children = 0, products = 0, pending_parent_erp_id: awaited } = row
  const isBranch = children > 0
  const isOpen = isBranch && open.has(id)
  const isChosen = chosen === id
  const nameId = useId()
  const activate = () => {
    choose(row)
    if (isBranch && isChosen) toggle(id)
  }
  return (
    <li
      role="treeitem"
      data-id={id}
      aria-labelledby={nameId}
      aria-expanded={isBranch ? isOpen : undefined}
      aria-selected={isChosen}
      tabIndex={isChosen || (chosen === undefined && isFirst) ? 0 : -1}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget || (event.key !== 'Enter' && event.key !== ' ')) return
        event.preventDefault()
        activate()
      }}
    >
      <div
        id={nameId}
        className={styles.node}
        role="presentation"
        onClick={(event) => {
          event.currentTarget.parentElement?.focus()
          activate()
        }}
      >
        <span
          className={styles.twist}
          role="presentation"
          onClick={(event) => {
            event.stopPropagation()
            if (isBranch) toggle(id)
          }}
        >
          {isBranch && (
            <span className={isOpen ? styles.open : undefined}>
              <Icon name="right" />
            </span>
          )}
        </span>
        <span className={is_active ? undefined : styles.quiet}>{name}</span>
        <span className="small muted">
          {[
            ...(is_active ? [] : [t.catalog.inactive]),
            ...(isBranch ? [t.catalog.categories.children(children)] : []),
            ...(products > 0 ? [t.catalog.categories.products(products)] : []),
          ].join(' · ')}
        </span>
        {typeof awaited === 'string' && <span className="small muted">{t.catalog.categories.waitsFor(awaited)}</span>}
      </div>
      {isOpen && (
        <ul role="group">
          <Branch query={{ parent_id: String(id) }} />
        </ul>
      )}
    </li>
  )
}

function useTree(): TreeState {
  const state = use(Tree)
  if (state === null) throw new Error('CategoryTree is missing')
  return state
}
