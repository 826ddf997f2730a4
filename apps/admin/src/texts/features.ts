/**
 * Texts that are loaded with the pages that use them. Reading `t.audit` before it is loaded suspends the page; routes
 * name the texts of their page (`lazyPage`), so no page shows a gap.
 */
import { use } from 'react'
import { loadChunk } from '../browser/load-chunk.js'
import type { audit } from './en/audit.js'
import type { catalog } from './en/catalog.js'
import type { changes } from './en/changes.js'
import type { imports } from './en/imports.js'
import type { people } from './en/people.js'
import type { priceLists } from './en/price-lists.js'
import type { search } from './en/search.js'
import type { setUp } from './en/set-up.js'
import type { sources } from './en/sources.js'

export interface FeatureTexts {
  audit: typeof audit
  catalog: typeof catalog
  changes: typeof changes
  imports: typeof imports
  people: typeof people
  priceLists: typeof priceLists
  search: typeof search
  setUp: typeof setUp
  sources: typeof sources
}

export type Feature = keyof FeatureTexts
export type Language = 'en' | 'ru'

/** The language that `app.js` chose before the first paint, or that was chosen since. */
export const languageOfPage = (): Language => (document.documentElement.lang === 'ru' ? 'ru' : 'en')

type Loaders = { [Name in Feature]: () => Promise<FeatureTexts[Name]> }

const LOADERS: Record<Language, Loaders> = {
  en: {
    audit: async () => (await import('./en/audit.js')).audit,
    catalog: async () => (await import('./en/catalog.js')).catalog,
    changes: async () => (await import('./en/changes.js')).changes,
    imports: async () => (await import('./en/imports.js')).imports,
    people: async () => (await import('./en/people.js')).people,
    priceLists: async () => (await import('./en/price-lists.js')).priceLists,
    search: async () => (await import('./en/search.js')).search,
    setUp: async () => (await import('./en/set-up.js')).setUp,
    sources: async () => (await import('./en/sources.js')).sources,
  },
  ru: {
    audit: async () => (await import('./ru/audit.js')).audit,
    catalog: async () => (await import('./ru/catalog.js')).catalog,
    changes: async () => (await import('./ru/changes.js')).changes,
    imports: async () => (await import('./ru/imports.js')).imports,
    people: async () => (await import('./ru/people.js')).people,
    priceLists: async () => (await import('./ru/price-lists.js')).priceLists,
    search: async () => (await import('./ru/search.js')).search,
    setUp: async () => (await import('./ru/set-up.js')).setUp,
    sources: async () => (await import('./ru/sources.js')).sources,
  },
}

const loaded: Record<Language, Partial<FeatureTexts>> = { en: {}, ru: {} }
const loading = new Map<string, Promise<unknown>>()

/** Once; a load that failed is tried again by the next call. */
export function loadFeature<Name extends Feature>(language: Language, feature: Name): Promise<unknown> {
  const key = `${language} ${feature}`
  const promise =
    loading.get(key) ??
    loadChunk<FeatureTexts[Name]>(LOADERS[language][feature]).then(
      (texts) => {
        loaded[language][feature] = texts
      },
      (error: unknown) => {
        loading.delete(key)
        throw error
      },
    )
  loading.set(key, promise)
  return promise
}

/** The features whose texts a page has shown so far, for another language. */
export const loadedFeatures = (language: Language): Feature[] => Object.keys(loaded[language]) as Feature[]

/** Adds the features to the texts that are always there. */
export function withFeatures<Base extends object>(language: Language, base: Base): Base & FeatureTexts {
  const texts = { ...base } as Base & FeatureTexts
  for (const feature of Object.keys(LOADERS[language]) as Feature[])
    Object.defineProperty(texts, feature, {
      enumerable: true,
      get: () => loaded[language][feature] ?? use(loadFeature(language, feature)),
    })
  return texts
}
