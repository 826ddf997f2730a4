import { describe, expect, it } from '@jest/globals'
import { read, readYaml, services, sources } from './testing/checkout.js'
import { compose, defaultValue } from './testing/compose-file.js'

/** Memory outside of the heap that a service may use by its own limits, in MiB, from the constants in its code. */
const budgets: Record<string, () => number> = {
  // every `bytes` of an admission; bodies are copied once into the bus client's buffer; 40 uploads of about 3 MiB each
  gateway: () =>
    admissions(sources('services/gateway/src')) +
    admissions([read('services/gateway/src/http/limits/api-admissions.ts')]) +
    40 * 3,
  catalog: () => inFlight() + 128,
  stock: inFlight,
  'supplier-search': inFlight,
  // a process for each concurrent import and check of a file, a thread for each concurrent fetch of a source
  'pricing-import': () =>
    inFlight() +
    number('packages/price-file/src', /\bMEMORY_MB = (\d+)/) *
      (number('services/pricing-import/src', /IMPORT_PARALLEL: count\(1, 32\)\.default\((\d+)\)/) +
        number('services/pricing-import/src', /CHECKS = (\d+)/)) +
    number('services/pricing-import/src', /MAX_MEMORY_MB = (\d+)/) *
      number('services/pricing-import/src', /SOURCES_AT_ONCE = (\d+)/),
}
/** Code, stacks, buffers of the sockets and of the allocator. */
const BASE_MIB = 100

function inFlight(): number {
  return number('packages/platform/src/bus', /MAX_BYTES_IN_FLIGHT = (\d+) \* 1024 \* 1024/)
}

function admissions(files: string[]): number {
  const found = files.flatMap((text) => [...text.matchAll(/\bbytes: (\d+) \* (?:MIB|1024 \* 1024)/g)])
  if (found.length === 0) throw new Error('no admission found')
  return found.reduce((sum, [, mib]) => sum + Number(mib), 0)
}

function number(folder: string, pattern: RegExp): number {
  const found = sources(folder).flatMap((text) => pattern.exec(text)?.[1] ?? [])
  if (found.length === 0) throw new Error(`${folder} does not match ${String(pattern)}`)
  return Math.max(...found.map(Number))
}

/** `768Mi`, `4Gi`, `768m` or `4g`, in MiB. */
function mebibytes(text: string): number {
  const [, amount = '', unit = ''] = /^(\d+)(Mi|Gi|m|g)$/.exec(text) ?? []
  return Number(amount) * (unit.toLowerCase().startsWith('g') ? 1024 : 1)
}

/** The heap in percent of the memory limit. */
const heapShare = (options = ''): number => Number(/^--max-old-space-size-percentage=(\d+)$/.exec(options)?.[1])

interface Deployment {
  kind: string
  spec: {
    template: {
      spec: {
        containers: [{ env: { name: string; value: string }[]; resources: { limits: { memory: string } } }]
        volumes: { name: string; emptyDir?: { sizeLimit: string } }[]
      }
    }
  }
}

describe.each(services)('memory of %s', (service) => {
  const [deployment] = readYaml<Deployment>(`deploy/kubernetes/base/${service}.yaml`).filter(
    ({ kind }) => kind === 'Deployment',
  )
  const pod = deployment?.spec.template.spec
  const container = pod?.containers[0]
  const share = heapShare(container?.env.find(({ name }) => name === 'NODE_OPTIONS')?.value)
  const limit = mebibytes(container?.resources.limits.memory ?? '')
  const composed = compose.services[service]

  it('is bounded by a heap of at most half of the limit, which grows with it', () => {
    expect(share).toBeLessThanOrEqual(50)
    expect((limit * share) / 100).toBeGreaterThan(300)
  })

  it('has a limit above the sum of the heap and the budgets of its code', () => {
    expect(limit).toBeGreaterThanOrEqual((limit * share) / 100 + (budgets[service]?.() ?? Infinity) + BASE_MIB)
  })

  it('is the same in compose', () => {
    expect([
      heapShare(composed?.environment?.NODE_OPTIONS),
      mebibytes(defaultValue(composed?.mem_limit ?? '')),
    ]).toEqual([share, limit])
  })

  it('has temporary files with a bound, or on the disk', () => {
    expect(pod?.volumes.find(({ name }) => name === 'tmp')?.emptyDir?.sizeLimit).toMatch(/^\d+[MG]i$/)
    if (composed?.tmpfs?.length) for (const mount of composed.tmpfs) expect(mount).toMatch(/^\/tmp:size=\d+m,/)
    else expect(composed?.volumes).toContain('/tmp')
  })
})

it('the image sets no heap of its own, which would override the one of the deployment', () => {
  expect(/^CMD .*$/m.exec(read('deploy/Dockerfile'))?.[0]).not.toContain('max-old-space-size')
})
