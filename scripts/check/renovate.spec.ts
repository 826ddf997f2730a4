import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { readTree } from './read-tree.mjs'

interface Manager {
  managerFilePatterns: string[]
  matchStrings?: string[]
}
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { kubernetes, customManagers } = JSON.parse(readFileSync(join(root, 'renovate.json'), 'utf8')) as {
  kubernetes: Manager
  customManagers: Manager[]
}
const files = readTree(root)
const matching = (pattern: string) => files.filter(({ path }) => new RegExp(pattern.slice(1, -1)).test(path))
const found = ({ managerFilePatterns, matchStrings = [] }: Manager) =>
  managerFilePatterns.map((pattern) =>
    matching(pattern).flatMap(({ text }) =>
      matchStrings.flatMap((each) =>
        [...text.matchAll(new RegExp(each, 'g'))].map(({ groups }) =>
          [groups?.depName, groups?.currentValue].filter(Boolean).join(' '),
        ),
      ),
    ),
  )

it('finds versions that no manager of Renovate knows', () => {
  const [programs, pnpm] = customManagers.map(found)
  expect(programs).toEqual([
    [
      expect.stringMatching(/^github.com\/nats-io\/nats-server\/v2 \d+\.\d+\.\d+$/),
      expect.stringMatching(/^github.com\/FerretDB\/FerretDB\/v2 \d+\.\d+\.\d+$/),
      expect.stringMatching(/^github.com\/rhysd\/actionlint \d+\.\d+\.\d+$/),
    ],
  ])
  // one version, in each file
  const versions = (pnpm ?? []).map((each) => [...new Set(each)])
  expect(versions).toEqual(versions.map(() => [expect.stringMatching(/^\d+\.\d+\.\d+$/)]))
  expect(new Set(versions.flat()).size).toBe(1)
})

it('looks for images in the manifests that are written by hand', () => {
  const paths = kubernetes.managerFilePatterns.flatMap(matching).filter(({ text }) => /image: \S+:\S+/.test(text))
  expect(paths.map(({ path }) => path)).toEqual([
    'deploy/kubernetes/components/monitoring/nats-exporter.yaml',
    'deploy/kubernetes/components/nats/nats.yaml',
  ])
})
