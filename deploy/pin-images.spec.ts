import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { read, root } from './testing/checkout.js'
import { compose, defaultImage } from './testing/compose-file.js'

const IMAGES = { NODE_IMAGE: 'node:24-slim', MONGO_IMAGE: 'mongo:8', NATS_IMAGE: 'nats:2.14-alpine' }
const digest = `sha256:${'0123456789abcdef'.repeat(4)}`
const pinned = Object.fromEntries(Object.entries(IMAGES).map(([name, image]) => [name, `${image}@${digest}`]))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-pin-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function run(args: string[], env: Record<string, string> = {}) {
  return spawnSync('sh', [join(root, 'deploy/pin-images.sh'), ...args], {
    encoding: 'utf8',
    env: { PATH: `${folder}:${process.env.PATH}`, ...env },
  })
}

function installDocker(answer: string): void {
  writeFileSync(join(folder, 'docker'), `#!/bin/sh\n[ "$1 $2 $3" = "buildx imagetools inspect" ] && echo '${answer}'\n`)
  chmodSync(join(folder, 'docker'), 0o755)
}

describe('deploy/pin-images.sh', () => {
  it('prints every image of another publisher with its digest', () => {
    installDocker(digest)
    const lines = Object.entries(pinned).map(([name, image]) => `${name}=${image}\n`)
    expect(run([])).toMatchObject({ status: 0, stdout: lines.join('') })
  })

  it('fails when the registry gives no digest', () => {
    installDocker('manifest unknown')
    expect(run([])).toMatchObject({
      status: 1,
      stderr: "the registry gave no digest of node:24-slim: 'manifest unknown'\n",
    })
  })

  it('with --check accepts pinned images only', () => {
    expect(run(['--check'], pinned)).toMatchObject({ status: 0, stderr: '' })
    expect(run(['--check'], { ...pinned, MONGO_IMAGE: 'mongo:8' })).toMatchObject({
      status: 1,
      stderr: "MONGO_IMAGE does not name a digest: 'mongo:8'\n",
    })
    expect(run(['--check'], { ...pinned, NATS_IMAGE: '' })).toMatchObject({ status: 1 })
  })

  it('covers all images that compose and the Dockerfile take from others', () => {
    const references = Object.values(compose.services)
      .map(({ image }) => image)
      .filter((image) => !image.startsWith('partsbus/'))
    expect(references).toEqual(['${MONGO_IMAGE:-mongo:8}', '${NATS_IMAGE:-nats:2.14-alpine}'])
    expect(references.map(defaultImage)).toEqual([IMAGES.MONGO_IMAGE, IMAGES.NATS_IMAGE])
    const dockerfile = read('deploy/Dockerfile')
    expect(dockerfile.match(/^(ARG NODE_IMAGE.*|FROM .*)$/gm)).toEqual([
      `ARG NODE_IMAGE=${IMAGES.NODE_IMAGE}`,
      'FROM ${NODE_IMAGE} AS build',
      'FROM ${NODE_IMAGE}',
    ])
    for (const [name, image] of Object.entries(IMAGES)) expect(read('.env.example')).toContain(`${name}=${image}\n`)
  })
})
