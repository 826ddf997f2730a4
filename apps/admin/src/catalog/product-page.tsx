import { Link, useParams } from '@tanstack/react-router'
import { useCall } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { CopyButton } from '../ui/copy-button.js'
import { Page } from '../ui/page.js'
import { Facts, Panel } from '../ui/panel.js'
import { Loaded, Skeleton } from '../ui/state.js'
import { LongText, Table } from '../ui/table.js'
import { Time } from '../ui/time.js'
import { useFormats } from '../ui/use-formats.js'
import styles from './catalog.module.css'
import { type ProductRow } from './catalog-calls.js'
import { FailedPictures } from './failed-pictures.js'
import { sortPictures } from './main-picture.js'
import { ProductState } from './product-state.js'
import { Supplies } from './supplies.js'

export function ProductPage() {
  const t = useTexts()
  const { id } = useParams({ from: '/frame/products/$id' })
  const product = useCall('GET /products/:id', { params: { id: Number(id) } })
  const list = <Link to="/products">{t.catalog.product.toList}</Link>
  return (
    <Page
      title={product.data?.name ?? t.catalog.product.gone(id)}
      above={list}
      beside={product.data && <ProductState product={product.data} />}
      lead={t.catalog.ownedByErp}
    >
      <Loaded
        from={product}
        part="products"
        gone={{ what: t.catalog.product.gone(id), link: list }}
        skeleton={<Skeleton lines={16} />}
      >
        {(data) => <Product product={data} />}
      </Loaded>
    </Page>
  )
}

function Product({ product }: { product: ProductRow }) {
  const t = useTexts()
  const { attributes, description } = product
  return (
    <>
      <div className="beside">
        <Panel title={t.catalog.product.facts} actions={<OfferedLink article={product.article} />}>
          <Identity product={product} />
        </Panel>
        <Panel title={t.catalog.product.pictures}>
          <Gallery product={product} />
          <FailedPictures erpId={product.erp_id} />
        </Panel>
      </div>
      <Supplies erpId={product.erp_id} />
      <Panel title={t.catalog.product.description}>
        {description === null || description === '' ? (
          <p className="muted">{t.catalog.product.noDescription}</p>
        ) : (
          <p className={styles.text}>{description}</p>
        )}
      </Panel>
      <Panel title={t.catalog.product.attributes} isFlush={attributes.length > 0}>
        <Table
          caption={t.catalog.product.attributes}
          rows={attributes}
          rowKey={({ name, type }) => `${name}\n${type}`}
          empty={<p className="muted">{t.catalog.product.noAttributes}</p>}
          columns={[
            {
              key: 'name',
              head: t.catalog.product.attribute,
              isName: true,
              cell: ({ name }) => <LongText text={name} />,
            },
            { key: 'value', head: t.catalog.product.value, cell: ({ value }) => <LongText text={value} /> },
            { key: 'type', head: t.catalog.product.type, isMinor: true, cell: ({ type }) => type },
          ]}
        />
      </Panel>
    </>
  )
}

function OfferedLink({ article }: { article: string | null }) {
  const t = useTexts()
  if (article === null || article.trim() === '') return null
  return (
    <Link to="/search" search={{ article }}>
      {t.catalog.product.offered}
    </Link>
  )
}

function Identity({ product }: { product: ProductRow }) {
  const t = useTexts()
  return (
    <Facts
      facts={[
        { name: t.catalog.brand, value: product.brand ?? t.general.none },
        { name: t.catalog.article, value: product.article ?? t.general.none },
        {
          name: t.catalog.erpId,
          value: (
            <span className="row">
              <span className="mono">{product.erp_id}</span>
              <CopyButton text={product.erp_id} label={`${t.general.copy}: ${t.catalog.erpId}`} />
            </span>
          ),
        },
        {
          name: t.catalog.product.categories,
          value:
            product.categories.length === 0
              ? t.catalog.product.noCategories
              : product.categories.map(({ name }) => name).join(' · '),
        },
        { name: t.catalog.product.slug, value: <span className="mono">{product.slug}</span> },
        { name: t.catalog.changedAt, value: <Time at={product.updated_at} /> },
        { name: t.catalog.createdAt, value: <Time at={product.created_at} /> },
      ]}
    />
  )
}

function Gallery({ product }: { product: ProductRow }) {
  const t = useTexts()
  const formats = useFormats()
  if (product.media.length === 0) return <p className="muted">{t.catalog.product.noPictures}</p>
  return (
    <ul className={styles.gallery}>
      {sortPictures(product.media).map(
        ({ id, url, file_name, size, width, height, custom_properties: { is_main } }) => (
          <li key={id}>
            <figure>
              <a href={url} target="_blank" rel="noreferrer">
                <img src={url} alt={file_name} loading="lazy" />
              </a>
              <figcaption className="small muted">
                {is_main === true && <strong>{t.catalog.product.mainPicture} · </strong>}
                {t.catalog.product.pixels(width, height)} · {formats.size(size)}
              </figcaption>
            </figure>
          </li>
        ),
      )}
    </ul>
  )
}
