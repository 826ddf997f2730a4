import { expect, it } from '@jest/globals'
import { type CpuProfile, timeByPart } from './profile-parts.js'

const modules = 'file:///x/node_modules/.pnpm/a@1/node_modules'

function profileOf(frames: Array<[functionName: string, url: string, parent?: number]>, samples: number[]): CpuProfile {
  return {
    nodes: frames.map(([functionName, url], id) => ({
      id,
      callFrame: { functionName, url },
      children: frames.flatMap(([, , parent], child) => (parent === id ? [child] : [])),
    })),
    samples,
    timeDeltas: samples.map(() => 1_000),
  }
}

it('divides samples by the script of their function', () => {
  const profile = profileOf(
    [
      ['serialize', `${modules}/bson/lib/bson.cjs`],
      ['parse', `${modules}/zod/v4/core/schemas.js`],
      ['answer', 'file:///x/packages/platform/dist/bus/server.js'],
      ['plan', 'file:///x/services/catalog/dist/products/plan-product.js'],
      ['(garbage collector)', ''],
    ],
    [0, 0, 1, 2, 3, 4],
  )
  expect(Object.fromEntries(timeByPart(profile))).toEqual({
    driver: 2,
    validation: 1,
    bus: 1,
    rules: 1,
    'garbage collection': 1,
  })
})

it('counts native functions and helpers of Node as the script that called them', () => {
  const profile = profileOf(
    [
      ['write', `${modules}/@nats-io/nats-core/lib/protocol.js`],
      ['writeBuffer', '', 0],
      ['nextTick', 'node:internal/process/task_queues', 0],
    ],
    [1, 2],
  )
  expect(Object.fromEntries(timeByPart(profile))).toEqual({ bus: 2 })
})

it('leaves out idle time and the profiler itself', () => {
  const profile = profileOf(
    [
      ['(idle)', ''],
      ['dispatch', ''],
      ['(program)', ''],
    ],
    [0, 1, 2],
  )
  expect(Object.fromEntries(timeByPart(profile))).toEqual({ sockets: 1 })
})
