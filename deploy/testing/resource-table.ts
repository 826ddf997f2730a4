import { read, services } from './checkout.js'

/** A row of the table of rules.md#shared-resources. */
export interface SharedResource {
  name: string
  bound: string
  share: string
  memory: string
  /** as `path#NAME`; the first one is the bound */
  constants: [string, ...string[]]
}

export const sharedResources: SharedResource[] = (
  read('docs/spec/rules.md').split('<a id="shared-resources"></a>')[1]?.split('\n## ')[0] ?? ''
)
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('#'))
  .map((line) => {
    const [, name = '', bound = '', share = '', memory = '', constants = ''] = line
      .split('|')
      .map((cell) => cell.trim())
    const [first = '', ...others] = [...constants.matchAll(/`([^`]+)`/g)].map(([, constant = '']) => constant)
    return { name, bound, share, memory, constants: [first, ...others] }
  })

const UNITS: Record<string, number> = { B: 1 / 1024 ** 2, KiB: 1 / 1024, MiB: 1 }
const toNumber = (digits: string): number => Number(digits.replaceAll(',', ''))

/** `10 − 2`, `2 + 4 + 1` */
const addUp = (sum: string): number =>
  [...sum.matchAll(/(− )?([\d,]+)/g)].reduce((all, [, minus, each = '']) => all + toNumber(each) * (minus ? -1 : 1), 0)

/**
 * A cell of the column for memory: `96 MiB, twice`, `32 × (2 + 1) MiB + 64 × 1 MiB`, `(10 − 2) × 8 MiB of heap`,
 * `none`, or `in` what contains it, such as `in the thread`.
 * @returns MiB
 */
export function readMemory(cell: string): { mib: number; isHeap: boolean } {
  if (cell === 'none' || cell.startsWith('in ')) return { mib: 0, isHeap: false }
  const [, terms = '', twice, heap] = /^(.+?)(, twice)?( of heap)?$/.exec(cell) ?? []
  const mib = terms
    .replace(/\(([^)]+)\)/g, (_, sum: string) => `${addUp(sum)}`)
    .split(' + ')
    .reduce((sum, term) => {
      const [, factors = '', unit = ''] = /^([\d,]+(?: × [\d,]+)*) (B|KiB|MiB)$/.exec(term) ?? []
      const factor = factors.split(' × ').reduce((product, each) => product * toNumber(each), UNITS[unit] ?? Number.NaN)
      return sum + factor
    }, 0)
  if (!(mib > 0)) throw new Error(`the memory "${cell}" is not understood`)
  return { mib: twice ? 2 * mib : mib, isHeap: heap !== undefined }
}

/** The services whose processes have the resource: those of its code, or those named by the row. */
export function servicesWith({ name, constants: [constant] }: SharedResource): string[] {
  const named = services.filter((service) => new RegExp(`\\b${service}\\b`).test(/\((.*)\)$/.exec(name)?.[1] ?? ''))
  if (named.length > 0) return named
  const [, service] = /^services\/([^/]+)\//.exec(constant) ?? []
  if (service !== undefined) return [service]
  const used = /^packages\/([^/]+)\//.exec(constant)?.[1] ?? ''
  return services.filter((each) => {
    const { dependencies } = JSON.parse(read(`services/${each}/package.json`)) as { dependencies: object }
    return `@partsbus/${used}` in dependencies
  })
}

/** The text after `NAME =` of a constant, or after `NAME:` of a variable of the environment. */
export function initializer(constant: string): string {
  const [path = '', name = ''] = constant.split('#')
  const text = read(path)
  const found =
    new RegExp(`\\bconst ${name}\\b[^=]*=\\s*(\\{[^}]*\\}|[^\\n]*)`).exec(text)?.[1] ??
    new RegExp(`^ +${name}: [^\\n]*(\\.default\\([^\\n]*)`, 'm').exec(text)?.[1]
  if (found === undefined) throw new Error(`${path} has no constant ${name}`)
  return found
}
