import { expect, it } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { buildInfo } from './build-info.js'
import { createMetrics } from './metrics.js'

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

it('has the version of the root manifest', () => {
  expect(buildInfo.version).toBe(manifest.version)
})

it('is a metric (admin.md#management)', async () => {
  const text = await createMetrics('test').registry.metrics()
  expect(text).toMatch(new RegExp(`partsbus_build_info{[^}]*version="${manifest.version}"[^}]*} 1`))
})
