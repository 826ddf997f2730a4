import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router'
import { changesState, offersState } from './price-lists/list-filters.js'
import { AppShell } from './shell/app-shell.js'
import { base } from './browser/page-address.js'
import { BrokenPage } from './shell/broken-page.js'
import { lazyPage } from './shell/lazy-page.js'
import { MissingPage } from './shell/missing-page.js'
import { choice, count, day, flag, many, parseSearch, stringifySearch, text, urlState } from './shell/url-state.js'
import { SignInPage } from './session/sign-in-page.js'
import { ToastRegion } from './ui/toast.js'

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <ToastRegion />
    </>
  ),
})
const frame = createRoute({ getParentRoute: () => root, id: 'frame', component: AppShell })
/** Of every page for signed-in people. */
const inside = { getParentRoute: () => frame } as const

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: SignInPage,
  ...urlState({ next: text() }),
})
const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: lazyPage(() => import('./session/join-page.js'), 'JoinPage'),
})
const missing = createRoute({ ...inside, path: '$', component: MissingPage })

// one line a page: path, chunk, URL state by ...urlState({}), least role by staticData
const overview = createRoute({
  ...inside,
  path: '/',
  component: lazyPage(() => import('./overview/overview-page.js'), 'OverviewPage'),
})
const products = createRoute({
  ...inside,
  path: '/products',
  ...urlState({
    q: text(),
    category_id: count(undefined),
    trashed: flag(),
    is_active: choice(['true', 'false']),
    page: count(1),
  }),
  component: lazyPage(() => import('./catalog/products-page.js'), 'ProductsPage', 'catalog'),
})
const product = createRoute({
  ...inside,
  path: '/products/$id',
  component: lazyPage(() => import('./catalog/product-page.js'), 'ProductPage', 'catalog'),
})
const categories = createRoute({
  ...inside,
  path: '/categories',
  ...urlState({ open: text(), q: text() }),
  component: lazyPage(() => import('./catalog/categories-page.js'), 'CategoriesPage', 'catalog'),
})
const pictures = createRoute({
  ...inside,
  path: '/pictures',
  ...urlState({ status: choice(['pending', 'failed']), host: text(), page: count(1) }),
  component: lazyPage(() => import('./catalog/pictures-page.js'), 'PicturesPage', 'catalog'),
})
const priceLists = createRoute({
  ...inside,
  path: '/price-lists',
  ...urlState({ q: text(), problem: flag(), page: count(1) }),
  component: lazyPage(() => import('./price-lists/price-lists-page.js'), 'PriceListsPage', 'priceLists'),
})
const priceList = createRoute({
  ...inside,
  path: '/price-lists/$id',
  component: lazyPage(() => import('./price-lists/price-list-page.js'), 'PriceListPage', 'priceLists'),
})
const format = createRoute({
  ...inside,
  path: '/price-lists/$id/format',
  ...urlState({ preview: text(), task: count(undefined) }),
  component: lazyPage(() => import('./price-lists/format-page.js'), 'FormatPage', 'priceLists', 'imports'),
})
const sources = createRoute({
  ...inside,
  path: '/price-lists/$id/sources',
  component: lazyPage(() => import('./price-lists/sources-page.js'), 'SourcesPage', 'priceLists', 'sources'),
})
const offers = createRoute({
  ...inside,
  path: '/price-lists/$id/offers',
  ...urlState(offersState),
  component: lazyPage(() => import('./price-lists/offers-page.js'), 'OffersPage', 'priceLists'),
})
const changes = createRoute({
  ...inside,
  path: '/price-lists/$id/changes',
  ...urlState(changesState),
  component: lazyPage(() => import('./price-lists/changes-page.js'), 'ChangesPage', 'priceLists', 'changes'),
})
const listSettings = createRoute({
  ...inside,
  path: '/price-lists/$id/settings',
  component: lazyPage(() => import('./price-lists/list-settings-page.js'), 'ListSettingsPage', 'priceLists'),
})
const imports = createRoute({
  ...inside,
  path: '/imports',
  ...urlState({
    status: many(['pending', 'processing', 'completed', 'failed']),
    price_list_id: count(undefined),
    source_type: choice(['manual', 'email', 'ftp', 'url']),
    from: day(),
    to: day(),
    page: count(1),
  }),
  component: lazyPage(() => import('./imports/imports-page.js'), 'ImportsPage', 'imports'),
})
const oneImport = createRoute({
  ...inside,
  path: '/imports/$id',
  ...urlState({ code: text(), correctable: flag(), after_row: count(undefined), article: text() }),
  component: lazyPage(() => import('./imports/import-page.js'), 'ImportPage', 'imports', 'priceLists'),
})
const search = createRoute({
  ...inside,
  path: '/search',
  ...urlState({ article: text(), brand: text(), point: many() }),
  component: lazyPage(() => import('./search/search-page.js'), 'SearchPage', 'search'),
})
const storages = createRoute({
  ...inside,
  path: '/storages',
  ...urlState({ page: count(1) }),
  component: lazyPage(() => import('./set-up/storages-page.js'), 'StoragesPage', 'setUp'),
})
const storage = createRoute({
  ...inside,
  path: '/storages/$id',
  component: lazyPage(() => import('./set-up/storage-page.js'), 'StoragePage', 'setUp'),
})
const points = createRoute({
  ...inside,
  path: '/points',
  ...urlState({ page: count(1) }),
  component: lazyPage(() => import('./set-up/points-page.js'), 'PointsPage', 'setUp'),
})
const point = createRoute({
  ...inside,
  path: '/points/$id',
  component: lazyPage(() => import('./set-up/point-page.js'), 'PointPage', 'setUp'),
})
const brands = createRoute({
  ...inside,
  path: '/brands',
  ...urlState({ q: text(), page: count(1) }),
  component: lazyPage(() => import('./set-up/brands-page.js'), 'BrandsPage', 'setUp'),
})
const settingsPage = lazyPage(() => import('./set-up/settings-page.js'), 'SettingsPage', 'setUp')
const erpSettings = createRoute({ ...inside, path: '/settings/erp', component: settingsPage })
const partnerSettings = createRoute({ ...inside, path: '/settings/b2b', component: settingsPage })
const fileSettings = createRoute({ ...inside, path: '/settings/files', component: settingsPage })
const generalSettings = createRoute({ ...inside, path: '/settings/general', component: settingsPage })
const audit = createRoute({
  ...inside,
  path: '/audit',
  staticData: { role: 'manager' },
  ...urlState({
    actor: text(),
    action: text(),
    entity: text(),
    entity_id: text(),
    request_id: text(),
    from: day(),
    to: day(),
    page: count(1),
  }),
  component: lazyPage(() => import('./audit/audit-page.js'), 'AuditPage', 'audit'),
})
const administrators = createRoute({
  ...inside,
  path: '/administrators',
  staticData: { role: 'owner' },
  ...urlState({ page: count(1) }),
  component: lazyPage(() => import('./people/administrators-page.js'), 'AdministratorsPage', 'people', 'setUp'),
})
const account = createRoute({
  ...inside,
  path: '/account',
  component: lazyPage(() => import('./people/account-page.js'), 'AccountPage', 'people'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    join,
    frame.addChildren([
      overview,
      priceLists,
      priceList,
      format,
      sources,
      offers,
      changes,
      listSettings,
      imports,
      oneImport,
      products,
      product,
      categories,
      pictures,
      search,
      storages,
      storage,
      points,
      point,
      brands,
      erpSettings,
      partnerSettings,
      fileSettings,
      generalSettings,
      audit,
      administrators,
      account,
      missing,
    ]),
  ]),
  basepath: base,
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultErrorComponent: BrokenPage,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
