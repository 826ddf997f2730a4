import { useTexts } from '../texts/language.js'
import { AppLink } from '../ui/app-link.js'
import { Panel } from '../ui/panel.js'
import type { Overview } from './overview-answer.js'
import styles from './overview-page.module.css'

export function CatalogPanel({ catalog, stock }: Pick<Overview, 'catalog' | 'stock'>) {
  const t = useTexts().overview
  const words = t.catalog
  return (
    <Panel title={words.title}>
      <ul className="stack-tight">
        {catalog === null ? (
          <li className="muted">{t.away}</li>
        ) : (
          <>
            <li>
              <AppLink path="/products">{words.products(catalog.products)}</AppLink>
            </li>
            <li>
              <AppLink path="/categories">{words.categories(catalog.categories)}</AppLink>
            </li>
            {catalog.pictures_failed > 0 && (
              <li>
                <AppLink path="/pictures" search={{ status: 'failed' }} className={styles.bad}>
                  {words.picturesFailed(catalog.pictures_failed)}
                </AppLink>
              </li>
            )}
            {catalog.pictures_pending > 0 && (
              <li>
                <AppLink path="/pictures" search={{ status: 'pending' }}>
                  {words.picturesPending(catalog.pictures_pending)}
                </AppLink>
              </li>
            )}
          </>
        )}
        {stock !== null && (
          <>
            <li>{words.supplies(stock.supplies)}</li>
            <li>
              <AppLink path="/storages">{words.storages(stock.storages)}</AppLink>
            </li>
            <li>
              <AppLink path="/points">{words.points(stock.pick_up_points)}</AppLink>
            </li>
          </>
        )}
      </ul>
    </Panel>
  )
}
