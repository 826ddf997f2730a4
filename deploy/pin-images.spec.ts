import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { read, root } from './testing/checkout.js'
import { compose, ferretdb, observability } from './testing/compose-file.js'

/** Variables of images with their defaults, from every file that names them; two are those of the Dockerfile. */
const IMAGES = Object.fromEntries([
  ['NODE_IMAGE', 'node:24-slim'],
  ['GO_IMAGE', 'golang:1.26-bookworm'],
  ...[compose, observability, ferretdb]
    .flatMap(({ services }) => Object.values(services))
    .flatMap(({ image = '' }) => [...image.matchAll(/^\$\{(\w+_IMAGE):-(.*)\}$/g)])
    .map(([, name, image]) => [name, image]),
]) as Record<string, string>
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
    const { status, stdout } = run([])
    expect([status, stdout.split(/(?<=\n)/).sort()]).toEqual([0, lines.sort()])
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
    expect(run(['--check'], { ...pinned, MONGO_IMAGE: 'mongo:8.0' })).toMatchObject({
      status: 1,
      stderr: "MONGO_IMAGE does not name a digest: 'mongo:8.0'\n",
    })
    expect(run(['--check'], { ...pinned, NATS_IMAGE: '' })).toMatchObject({ status: 1 })
  })

  it('covers all images that compose and the Dockerfile take from others', () => {
    const references = [compose, observability, ferretdb]
      .flatMap(({ services }) => Object.values(services).map(({ image }) => image))
      .filter((image) => image !== undefined && !image.startsWith('${PARTSBUS_REGISTRY'))
    // all but those of the Dockerfile
    expect(references).toHaveLength(Object.keys(IMAGES).length - 2)
    expect(references.filter((image) => !/^\$\{\w+_IMAGE:-[^}]+\}$/.test(image))).toEqual([])
    const dockerfile = read('deploy/Dockerfile')
    expect(dockerfile.match(/^(ARG \w+_IMAGE.*|FROM .*)$/gm)).toEqual([
      'ARG NODE_IMAGE=node:24-slim',
      'ARG GO_IMAGE=golang:1.26-bookworm',
      'FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build',
      'FROM build AS cli-files',
      'FROM build AS service-files',
      'FROM --platform=$BUILDPLATFORM ${GO_IMAGE} AS mongo-tools',
      'FROM ${NODE_IMAGE} AS base',
      'FROM base AS cli',
      'FROM cli AS backup',
      'FROM base AS service',
    ])
    for (const [name, image] of Object.entries(IMAGES)) expect(read('.env.example')).toContain(`${name}=${image}\n`)
  })
})
