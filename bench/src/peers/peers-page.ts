import type { Results } from '../figures/results.js'
import type { Measurement, Pass } from './measure-work.js'
import type { Kind } from './peer.js'
import type { ByPart } from './process-trees.js'
import type { PeerResults } from './results.js'

const OURS = 'Partsbus'

const HEADS: Record<Kind, string> = {
  cards: 'Cards',
  logged: 'Cards of Directus with its log',
  records: 'Cards of Directus with a record for each attribute',
  sellable: 'Sellable products',
  stock: 'Stock',
}

/** Cards or stock of ours against a peer's work. */
interface Goal {
  peer: string
  kind: Kind
  ours: Kind
  wanted: number
}

const GOALS: readonly Goal[] = [
  { peer: 'Medusa', kind: 'cards', ours: 'cards', wanted: 10 },
  { peer: 'Vendure', kind: 'cards', ours: 'cards', wanted: 30 },
  { peer: 'Directus', kind: 'records', ours: 'cards', wanted: 50 },
  { peer: 'Directus', kind: 'cards', ours: 'cards', wanted: 2 },
  { peer: 'Medusa', kind: 'stock', ours: 'stock', wanted: 10 },
]

/** What docs/measurements/peers.md shows. @param missing what could not be measured */
export function peersResults(peers: readonly PeerResults[], missing: readonly string[]): Results {
  const works = (Object.entries(HEADS) as Array<[Kind, string]>)
    .map(([kind, head]) => ({ head, columns: WORK_COLUMNS, rows: workRows(peers, kind) }))
    .filter(({ rows }) => rows.length > 0)
  return {
    page: 'peers.md',
    how: [...new Set(peers.map(({ machine }) => machine))].join('; '),
    notes: missing,
    tables: [{ head: 'Goals', columns: GOAL_COLUMNS, rows: goalRows(peers) }, ...works],
  }
}

const WORK_COLUMNS = [
  'System',
  'A call',
  'Created/s',
  'Changed/s',
  'Processor s per 1,000 created',
  '1,000 changed',
  'Peak MB',
  'Products',
]

function workRows(peers: readonly PeerResults[], kind: Kind): string[][] {
  return peers.flatMap(({ title, measured }) =>
    measured
      .filter((one) => one.kind === kind)
      .sort((a, b) => a.size - b.size)
      .map(({ size, created, changed, memory }) => {
        return [
          title,
          count(size),
          count(itemsPerSecond(created)),
          count(itemsPerSecond(changed)),
          showParts(secondsPerThousand(created), seconds),
          showParts(secondsPerThousand(changed), seconds),
          showParts(memory, (mb) => count(mb)),
          created.products === changed.products
            ? count(created.products)
            : `${count(created.products)}, ${count(changed.products)}`,
        ]
      }),
  )
}

const GOAL_COLUMNS = [
  'Against',
  'A call',
  'Wanted',
  'Created',
  'Changed',
  'Created, processor time',
  'Changed, processor time',
  'Reached',
]

function goalRows(peers: readonly PeerResults[]): string[][] {
  const find = (name: string, kind: Kind) =>
    peers.find(({ title }) => title.startsWith(name))?.measured.filter((one) => one.kind === kind) ?? []
  return GOALS.flatMap(({ peer, kind, ours, wanted }) =>
    find(peer, kind).flatMap((theirs) => {
      const mine = find(OURS, ours).find(({ size }) => size === theirs.size)
      if (mine === undefined) return []
      const ratios = compare(mine, theirs)
      const what = `${peer}: ${HEADS[kind].replace(` of ${peer}`, '').toLowerCase()}`
      const shown = ratios.map((ratio) => `${ratio.toFixed(1)} ×`)
      return [[what, count(theirs.size), `≥ ${wanted} ×`, ...shown, verdict(ratios, wanted)]]
    }),
  )
}

/** How many times as fast we are: created, changed, and the same by processor time. */
export function compare(ours: Measurement, theirs: Measurement): number[] {
  const cost = (pass: Pass): number => sum(secondsPerThousand(pass))
  return [
    itemsPerSecond(ours.created) / itemsPerSecond(theirs.created),
    itemsPerSecond(ours.changed) / itemsPerSecond(theirs.changed),
    cost(theirs.created) / cost(ours.created),
    cost(theirs.changed) / cost(ours.changed),
  ]
}

function verdict(ratios: readonly number[], wanted: number): string {
  const reached = ratios.filter((ratio) => ratio >= wanted).length
  if (reached === ratios.length) return 'yes'
  return reached === 0 ? 'no' : `${reached} of ${ratios.length}`
}

export const itemsPerSecond = ({ products, ms }: Pass): number => products / (ms / 1_000)

export function secondsPerThousand({ products, processor }: Pass): ByPart {
  return Object.fromEntries(Object.entries(processor).map(([part, ms]) => [part, ms / products]))
}

/** `2.1 = program 1.2 + database 0.9` */
function showParts(parts: ByPart, show: (value: number) => string): string {
  const order = ['program', 'bus', 'database'] as const
  const shown = order.flatMap((part) => {
    const value = parts[part]
    return value === undefined ? [] : [`${part} ${show(value)}`]
  })
  return `${show(sum(parts))} = ${shown.join(' + ')}`
}

const sum = (parts: ByPart): number => Object.values(parts).reduce((total, one) => total + one, 0)

const count = (value: number): string => Math.round(value).toLocaleString('en')

const seconds = (value: number): string => value.toFixed(value >= 10 ? 1 : value >= 0.1 ? 2 : 3)
