import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { BackupPlan } from '@partsbus/platform/backup/backup-plan'
import { readTree } from './read-tree.mjs'

/** What a service opens by a class of the platform. */
const SHARED = {
  CounterStore: 'counters',
  LeaseStore: 'leases',
  OutboxStore: 'outbox',
  LatestTime: 'latest_times',
  readLatestTime: 'latest_times',
}
/** How a store names its collection: a literal, or a constant of its file. */
const NAMED = /(?:\.collection(?:<[^>]*>)?\(|new (?:StatisticsStore|ProcessStore)\(\S+ )(?:'(\w+)'|([A-Z_]+)\))/g

const files = readTree(join(import.meta.dirname, '..', '..'))
const textOf = (path: string) => files.find((file) => file.path === path)?.text ?? ''

const rows = [...textOf('docs/develop/architecture.md').matchAll(/^\| `([\w-]+)` \|[^|]*\|([^|]*)\|$/gm)].map(
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
    texts.some((text) => new RegExp(`import \\{[^}]*\\b${store}\\b`).test(text)) ? [name] : [],
  )
  return [...new Set([...named, ...shared])]
}

describe('docs/develop/architecture.md, the table of the services', () => {
  it('has a row for each service', () => {
    const services = files.flatMap(({ path }) => /^services\/([\w-]+)\/package\.json$/.exec(path)?.[1] ?? [])
    expect(rows.map(([service]) => service).sort()).toEqual(services.sort())
  })

  it.each(rows)('names all collections of %s and no others', (service, collections) => {
    expect([...collections].sort()).toEqual(collectionsIn(service).sort())
  })
})

describe('services/*/src/backup-plan.ts', () => {
  it.each(rows.filter(([, collections]) => collections.length > 0))(
    'of %s names collections of this service alone',
    async (service, collections) => {
      const { backupPlan } = (await import(`../../services/${service}/src/backup-plan.ts`)) as {
        backupPlan: BackupPlan
      }
      const { filled, counters, foreignIds = [], copiedLast = [], transient = [], changing = [] } = backupPlan
      const { guests = [], afterRestore = [] } = backupPlan
      const named = [
        ...[...filled, ...copiedLast, ...transient, ...changing],
        ...counters.map(([, collection]) => collection),
        ...[...foreignIds, ...guests, ...afterRestore].map(({ collection }) => collection),
      ]
      // files in the database have two collections of their own
      const others = named.filter((name) => !collections.includes(name) && !/^\w+\.(files|chunks)$/.test(name))
      expect(others).toEqual([])
    },
  )
})

describe('the command line', () => {
  const sources = files.filter(({ path }) => /^packages\/(cli|operations)\/src\/.*(?<!\.spec)\.ts$/.test(path))
  const listMatching = (pattern: RegExp, folder = '') =>
    sources.flatMap(({ path, text }) => (path.includes(folder) && pattern.test(text) ? [path] : []))

  it('opens no collection', () => {
    expect(sources.length).toBeGreaterThan(30)
    expect(listMatching(/\.(\w*[cC]ollections?|command)\((?!\{ (hello|buildInfo|connectionStatus): 1\b)/)).toEqual([])
  })

  it('names no collection in its backups', () => {
    const owned = [...rows.flatMap(([, collections]) => collections), 'processes', 'schema_version', 'restores']
    // the folder of a backup, as well
    const names = owned.filter((name) => name !== 'files').join('|')
    expect(listMatching(new RegExp(`['"\`](${names})['"\`]`), '/backup/')).toEqual([])
  })
})
