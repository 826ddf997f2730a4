import { plural } from '../plural.js'

/** The frame around every page. */
export const shell = {
  product: 'Partsbus',
  skipToContent: 'Skip to the content',
  navigation: 'Main navigation',
  openMenu: 'Open the menu',
  closeMenu: 'Close the menu',
  preferences: 'Language and theme',
  groups: { prices: 'Prices', catalog: 'Catalog', setUp: 'Set-up', oversight: 'Oversight' },
  pages: {
    overview: 'Overview',
    priceLists: 'Price lists',
    imports: 'Imports',
    products: 'Products',
    categories: 'Categories',
    pictures: 'Pictures',
    search: 'Search',
    storages: 'Storages',
    points: 'Pick-up points',
    brands: 'Brands',
    settings: 'Settings',
    audit: 'Audit',
    administrators: 'Administrators',
    account: 'Own account',
    api: 'API',
  },
  opensElsewhere: 'opens in a new tab',
  problems: (count: number) => plural.en(count, { one: 'problem', other: 'problems' }),
  jump: {
    label: 'Go to an import, a product, a price list, a storage or an article',
    placeholder: 'Number, name or article',
    go: 'Go',
  },
  language: 'Language',
  theme: { label: 'Theme', auto: 'Same as system', light: 'Light', dark: 'Dark' },
  person: {
    signOut: 'Sign out',
    token: 'Token of the installation',
  },
  roles: { owner: 'owner', manager: 'manager', viewer: 'viewer' },
  offline: 'You are offline. What was loaded can be read; changes are possible again when the connection is back.',
  newVersion: 'A new version of these pages is available.',
  reload: 'Reload',
  notFound: {
    title: 'There is no such page',
    text: (path: string) => `Nothing is at ${path}.`,
    link: 'Overview',
  },
  broken: {
    title: 'This page failed',
    text:
      'The failure is in the page itself, not in your data. ' +
      'Reload it; if it fails again, send us the message below.',
  },
}
