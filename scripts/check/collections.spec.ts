import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { readTree } from './read-tree.mjs'

/** What a service opens by a class of the platform. */
const SHARED = { CounterStore: 'counters', LeaseStore: 'leases', OutboxStore: 'outbox', LatestTime: 'latest_times' }
/** How a store names its collection: a literal, or a constant of its file. */
const NAMED = /(?:\.collection(?:<[^>]*>)?\(|new (?:StatisticsStore|ProcessStore)\(\S+ )(?:'(\w+)'|([A-Z_]+)\))/g

const files = readTree(join(import.meta.dirname, '..', '..'))
const textOf = (path: string) => files.find((file) => file.path === path)?.text ?? ''

const rows = [...textOf('docs/architecture.md').matchAll(/^\| `([\w-]+)` \|[^|]*\|([^|]*)\|$/gm)].map(
  ([, service = '', owned = '']): [service: string, collections: string[]] => [
    service,
    [...owned.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  ],
)

function collectionsIn(service: string): string[] {
  const texts = files
    .filter(({ path }) => path.startsWith(`services/${service}/src/`) && !/\.spec\.ts$|\/testing\//.test(path))
    .map(({ text }) => text)
  const named = texts.flatMap((text) =>
    [...text.matchAll(NAMED)].map(
      ([call, literal, constant]) =>
        literal ?? new RegExp(`const ${constant} = '(\\w+)'`).exec(text)?.[1] ?? `no name in ${call}`,
    ),
  )
  const shared = Object.entries(SHARED).flatMap(([store, name]) =>
    texts.some((text) => text.includes(`import { ${store} }`)) ? [name] : [],
  )
  return [...new Set([...named, ...shared])]
}

describe('docs/architecture.md, the table of the services', () => {
  it('has a row for each service', () => {
    const services = files.flatMap(({ path }) => /^services\/([\w-]+)\/package\.json$/.exec(path)?.[1] ?? [])
    expect(rows.map(([service]) => service).sort()).toEqual(services.sort())
  })

  it.each(rows)('names all collections of %s and no others', (service, collections) => {
    expect([...collections].sort()).toEqual(collectionsIn(service).sort())
  })
})
