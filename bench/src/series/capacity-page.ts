import type { Table } from '../figures/results.js'
import type { DiskBytes } from '../meters/disk-use.js'

/** What adding items cost, from one total to the next. */
export interface Growth {
  what: string
  count: number
  total: number
  ms: number
  /** in ms by process */
  processor: ReadonlyMap<string, number>
  disk: DiskBytes
}

/** Processor time of one request in ms by process. */
export interface RequestCost {
  what: string
  processor: ReadonlyMap<string, number>
}

export interface Capacity {
  growth: readonly Growth[]
  costs: readonly RequestCost[]
  /** Processor time of the idle product by process, in ms for each ms. */
  idle: ReadonlyMap<string, number>
  /** MB by process */
  idleMemory: ReadonlyMap<string, number>
  peakMemory: ReadonlyMap<string, number>
}

/** A share of a core above which waiting times grow; the rest is for peaks. */
const USABLE = 0.6
/** Collections with less than this share of an item's bytes are left out. */
const MIN_SHARE = 0.02
const SERVICES = ['gateway', 'administration', 'catalog', 'stock', 'supplier-search', 'pricing-import'] as const
const SERVERS = ['nats', 'ferretdb', 'postgres', 'mongod'] as const

export function capacityTables({ growth, costs, idle, idleMemory, peakMemory }: Capacity): Table[] {
  const processes = [...SERVICES, ...SERVERS].filter((name) => idleMemory.has(name))
  return [
    {
      head: 'Disk',
      columns: ['One more', 'From', 'To', 'Bytes', 'of them data', 'indexes', 'bus', 'Where'],
      rows: growth.map(diskRow),
    },
    {
      head: 'Speed as it grows',
      columns: ['One more', 'From', 'To', 'Items/s', ...processes.map((name) => `${name} ms`), 'together ms'],
      rows: growth.map((one) => speedRow(one, processes)),
    },
    {
      head: 'Processor time of a request',
      columns: ['One request', ...processes.map((name) => `${name} ms`), 'together ms'],
      rows: costs.map(({ what, processor }) => [what, ...costCells(processor, processes)]),
    },
    {
      head: `Requests a second that one process can serve at ${USABLE * 100} % of a core`,
      columns: ['Request', ...processes],
      rows: costs.map(({ what, processor }) => [what, ...processes.map((name) => rateCell(processor.get(name) ?? 0))]),
    },
    {
      head: 'Memory',
      columns: ['Process', 'Idle MB', 'Peak MB during these measurements', 'Idle, share of a core'],
      rows: processes.map((name) => [
        name,
        whole(idleMemory.get(name) ?? 0),
        whole(peakMemory.get(name) ?? 0),
        `${((idle.get(name) ?? 0) * 100).toFixed(1)} %`,
      ]),
    },
  ]
}

function diskRow({ what, count, total, disk }: Growth): string[] {
  const [data, indexes] = [sum(disk.data), sum(disk.indexes)]
  const all = data + indexes + disk.bus
  const collections = [...disk.data]
    .map(([name, bytes]) => [name, bytes + (disk.indexes.get(name) ?? 0)] as const)
    .filter(([, bytes]) => bytes > all * MIN_SHARE)
    .sort((a, b) => b[1] - a[1])
    .map(([name, bytes]) => `${name} ${whole(bytes / count)}`)
  const each = [all, data, indexes, disk.bus].map((bytes) => whole(bytes / count))
  return [what, whole(total - count), whole(total), ...each, collections.join(', ')]
}

function speedRow({ what, count, total, ms, processor }: Growth, processes: readonly string[]): string[] {
  const each = new Map([...processor].map(([name, time]) => [name, time / count]))
  const rate = count / (ms / 1_000)
  return [
    what,
    whole(total - count),
    whole(total),
    rate >= 100 ? whole(rate) : rate.toFixed(1),
    ...costCells(each, processes),
  ]
}

function costCells(processor: ReadonlyMap<string, number>, processes: readonly string[]): string[] {
  const cells = processes.map((name) => processor.get(name) ?? 0)
  return [...cells, cells.reduce((total, one) => total + one, 0)].map(milliseconds)
}

/** A process that hardly takes part sets no limit. */
function rateCell(ms: number): string {
  return ms < 0.02 ? '–' : perSecond(ms)
}

/** @param ms processor time of one request @returns requests a second, in two digits */
export function perSecond(ms: number): string {
  const rate = (1_000 * USABLE) / ms
  return Number(rate.toPrecision(2)).toLocaleString('en')
}

const sum = (values: ReadonlyMap<string, number>): number => [...values.values()].reduce((total, one) => total + one, 0)

const whole = (value: number): string => Math.round(value).toLocaleString('en')

const milliseconds = (ms: number): string => (ms >= 10 ? ms.toFixed(0) : ms.toFixed(ms >= 1 ? 1 : ms >= 0.1 ? 2 : 3))
