import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTexts } from '../texts/language.js'
import { CopyButton } from '../ui/copy-button.js'
import { Filters, TextFilter } from '../ui/filters.js'
import { Page } from '../ui/page.js'
import { Facts, Panel } from '../ui/panel.js'
import { Time } from '../ui/time.js'
import type { TreeRow } from './catalog-calls.js'
import { CategoryTree } from './category-tree.js'
import { readOpen, toggleOpen } from './open-branches.js'

export function CategoriesPage() {
  const t = useTexts()
  const { open, q } = useSearch({ from: '/frame/categories' })
  const navigate = useNavigate({ from: '/categories' })
  const [chosen, setChosen] = useState<TreeRow>()
  const opened = useMemo(() => new Set(readOpen(open)), [open])
  return (
    <Page title={t.shell.pages.categories} lead={t.catalog.ownedByErp}>
      <Filters label={t.shell.pages.categories}>
        <TextFilter
          label={t.catalog.categories.filter}
          value={q}
          onChange={(next) => void navigate({ search: (old) => ({ ...old, q: next }), replace: true })}
        />
      </Filters>
      <div className="beside">
        <Panel isFlush>
          <CategoryTree
            query={q}
            open={opened}
            chosen={chosen?.id}
            choose={setChosen}
            toggle={(id) =>
              void navigate({ search: (old) => ({ ...old, open: toggleOpen(old.open, id) }), replace: true })
            }
          />
        </Panel>
        <Panel title={t.catalog.categories.details}>
          {chosen === undefined ? (
            <p className="muted">{t.catalog.categories.choose}</p>
          ) : (
            <Details category={chosen} />
          )}
        </Panel>
      </div>
    </Page>
  )
}

function Details({ category: { id, name, erp_id, slug, is_active, description, updated_at } }: { category: TreeRow }) {
  const t = useTexts()
  return (
    <div className="stack">
      <Facts
        facts={[
          { name: t.catalog.name, value: name },
          {
            name: t.catalog.erpId,
            value: (
              <span className="row">
                <span className="mono">{erp_id}</span>
                <CopyButton text={erp_id} label={`${t.general.copy}: ${t.catalog.erpId}`} />
              </span>
            ),
          },
          { name: t.catalog.state, value: is_active ? t.catalog.active : t.catalog.inactive },
          { name: t.catalog.product.slug, value: <span className="mono">{slug}</span> },
          ...(description === null || description === ''
            ? []
            : [{ name: t.catalog.product.description, value: description }]),
          { name: t.catalog.changedAt, value: <Time at={updated_at} /> },
        ]}
      />
      <p>
        <Link to="/products" search={{ category_id: id }}>
          {t.catalog.categories.showProducts}
        </Link>
      </p>
    </div>
  )
}
