import type { Role } from '../calls/role.js'
import type { Texts } from '../texts/en.js'
import type { IconName } from '../ui/icon.js'

export interface Entry {
  page: keyof Texts['shell']['pages']
  /** Shown as soon as a route has this path. */
  to: string
  icon: IconName
  role: Role
}

export interface Group {
  title?: keyof Texts['shell']['groups']
  entries: Entry[]
}

export const GROUPS: Group[] = [
  { entries: [{ page: 'overview', to: '/', icon: 'overview', role: 'viewer' }] },
  {
    title: 'prices',
    entries: [
      { page: 'priceLists', to: '/price-lists', icon: 'lists', role: 'viewer' },
      { page: 'imports', to: '/imports', icon: 'imports', role: 'viewer' },
    ],
  },
  {
    title: 'catalog',
    entries: [
      { page: 'products', to: '/products', icon: 'products', role: 'viewer' },
      { page: 'categories', to: '/categories', icon: 'categories', role: 'viewer' },
      { page: 'pictures', to: '/pictures', icon: 'pictures', role: 'viewer' },
    ],
  },
  { entries: [{ page: 'search', to: '/search', icon: 'search', role: 'viewer' }] },
  {
    title: 'setUp',
    entries: [
      { page: 'storages', to: '/storages', icon: 'storages', role: 'viewer' },
      { page: 'points', to: '/points', icon: 'points', role: 'viewer' },
      { page: 'brands', to: '/brands', icon: 'brands', role: 'viewer' },
      { page: 'settings', to: '/settings/erp', icon: 'settings', role: 'viewer' },
    ],
  },
  {
    title: 'oversight',
    entries: [
      { page: 'audit', to: '/audit', icon: 'audit', role: 'manager' },
      { page: 'administrators', to: '/administrators', icon: 'people', role: 'owner' },
    ],
  },
]

/** The pages on which a problem is seen and mended; their entries show how many there are. */
export const PAGES_OF_PROBLEM: Record<string, readonly Entry['page'][]> = {
  'imports-waiting': ['imports'],
  'import-failed': ['imports', 'priceLists'],
  'source-failing': ['priceLists'],
  'not-in-search': ['priceLists'],
  'supplier-cut-off': ['storages'],
  'pictures-failing': ['pictures'],
  'erp-silent': ['settings'],
  'erp-not-ready': ['settings'],
  'b2b-not-ready': ['settings'],
  'secrets-unreadable': ['settings'],
}
