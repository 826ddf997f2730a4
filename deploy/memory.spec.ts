import { describe, expect, it } from '@jest/globals'
import { read, readYaml, services } from './testing/checkout.js'
import { compose, defaultValue } from './testing/compose-file.js'
import { readMemory, servicesWith, sharedResources } from './testing/resource-table.js'

/** Code, stacks, buffers of the sockets and of the allocator. */
const BASE_MIB = 100
/** The young generation of the heap, which the size of the old one does not include: three semi-spaces of 16 MiB. */
const YOUNG_MIB = 48

/** MiB of the budgets of a service, in the heap or outside of it. */
const budgetOf = (service: string, inHeap: boolean): number =>
  sharedResources
    .filter((resource) => servicesWith(resource).includes(service))
    .map(({ memory }) => readMemory(memory))
    .reduce((sum, { mib, isHeap }) => sum + (isHeap === inHeap ? mib : 0), 0)

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

  // rules.md#shared-resources
  it('has a limit above the sum of the heap and all budgets outside of it', () => {
    const sum = (limit * share) / 100 + YOUNG_MIB + budgetOf(service, false) + BASE_MIB
    expect(limit).toBeGreaterThanOrEqual(sum)
  })

  // rules.md#shared-resources
  it('keeps at most half of its heap', () => {
    expect(budgetOf(service, true)).toBeLessThanOrEqual((limit * share) / 100 / 2)
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
