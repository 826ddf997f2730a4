import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCall } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { ChoiceFilter, CheckFilter, Filters, TextFilter } from '../ui/filters.js'
import { Button } from '../ui/button.js'
import { Page } from '../ui/page.js'
import { PagedTable } from '../ui/paged-table.js'
import { Empty, Loaded, Skeleton } from '../ui/state.js'
import { type Column, LongText, cutName } from '../ui/table.js'
import styles from './catalog.module.css'
import { PER_PAGE, type ProductRow } from './catalog-calls.js'
import { ProductState } from './product-state.js'
import { mainPicture } from './main-picture.js'

const NO_FILTER = { q: '', category_id: undefined, trashed: false, is_active: undefined, page: 1 }

export function ProductsPage() {
  const t = useTexts()
  const filter = useSearch({ from: '/frame/products' })
  const navigate = useNavigate({ from: '/products' })
  const products = useCall('GET /products', {
    query: {
      ...filter,
      trashed: filter.trashed || undefined,
      is_active: filter.is_active && filter.is_active === 'true',
      per_page: PER_PAGE,
    },
  })
  const narrow = (part: Partial<typeof filter>) =>
    void navigate({ search: (old) => ({ ...old, page: 1, ...part }), replace: true })
  const { q, category_id, trashed, is_active } = filter
  const isFiltered = q !== '' || category_id !== undefined || trashed || is_active !== undefined
  return (
    <Page title={t.shell.pages.products} lead={t.catalog.ownedByErp}>
      <Filters label={t.shell.pages.products}>
        <TextFilter
          label={t.general.search}
          value={q}
          placeholder={t.catalog.products.query}
          onChange={(next) => narrow({ q: next })}
        />
        <ChoiceFilter
          label={t.catalog.products.activity}
          all={t.general.all}
          value={is_active}
          options={[
            { value: 'true', label: t.catalog.products.activeOnly },
            { value: 'false', label: t.catalog.products.inactiveOnly },
          ]}
          onChange={(next) => narrow({ is_active: next })}
        />
        <CheckFilter
          label={t.catalog.products.deletedOnly}
          isOn={trashed}
          onChange={(next) => narrow({ trashed: next })}
        />
        {isFiltered && (
          <Button kind="quiet" icon="close" onClick={() => void navigate({ search: NO_FILTER, replace: true })}>
            {category_id === undefined ? t.catalog.products.clear : t.catalog.products.category(category_id)}
          </Button>
        )}
      </Filters>
      <Loaded from={products} part="products" skeleton={<Skeleton lines={14} />}>
        {({ data, total }) =>
          data.length === 0 && !isFiltered && filter.page === 1 ? (
            <NoProducts />
          ) : (
            <PagedTable
              caption={t.catalog.products.caption}
              columns={columns(t)}
              rows={data}
              rowKey={({ id }) => id}
              isStale={products.isPlaceholderData}
              empty={<Empty icon="search" title={t.catalog.products.nothing} />}
              page={filter.page}
              perPage={PER_PAGE}
              total={total}
              onPage={(page) => void navigate({ search: (old) => ({ ...old, page }) })}
            />
          )
        }
      </Loaded>
    </Page>
  )
}

function NoProducts() {
  const t = useTexts()
  return (
    <Empty
      icon="products"
      title={t.catalog.products.empty}
      action={<Link to="/settings/erp">{t.catalog.products.settings}</Link>}
    >
      {t.catalog.products.emptyText}
    </Empty>
  )
}

const columns = (t: ReturnType<typeof useTexts>): Column<ProductRow>[] => [
  { key: 'picture', head: t.catalog.products.picture, isMinor: true, cell: (row) => <Thumbnail product={row} /> },
  {
    key: 'name',
    head: t.catalog.name,
    isName: true,
    cell: ({ id, name }) => (
      <Link to="/products/$id" params={{ id: String(id) }}>
        {cutName(name)}
      </Link>
    ),
  },
  { key: 'brand', head: t.catalog.brand, cell: ({ brand }) => <LongText text={brand ?? t.general.none} /> },
  { key: 'article', head: t.catalog.article, cell: ({ article }) => <LongText text={article ?? t.general.none} /> },
  { key: 'erp', head: t.catalog.erpId, isMinor: true, cell: ({ erp_id }) => <LongText text={erp_id} /> },
  { key: 'state', head: t.catalog.state, cell: (row) => <ProductState product={row} /> },
]

function Thumbnail({ product }: { product: ProductRow }) {
  const picture = mainPicture(product.media)
  if (picture === undefined) return null
  return <img className={styles.thumbnail} src={picture.url} alt="" width={40} height={40} loading="lazy" />
}
