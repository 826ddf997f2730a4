import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { read, readYaml, root, services } from './testing/checkout.js'
import { type Container, images } from './testing/compose-file.js'

/** A TypeScript project and all that it references, relative to the root of the checkout. */
function projectsOf(folder: string): string[] {
  const withoutComments = read(join(folder, 'tsconfig.json')).replace(/^ *\/\/.*$/gm, '')
  const { references = [] } = JSON.parse(withoutComments) as { references?: { path: string }[] }
  return [folder, ...references.flatMap(({ path }) => projectsOf(join(folder, path)))]
}

describe('deploy/Dockerfile', () => {
  const lines = read('deploy/Dockerfile').split('\n')

  it('copies paths that exist and that .dockerignore allows', () => {
    const copied = lines.filter((line) => /^COPY (?!--from)/.test(line)).flatMap((line) => line.split(' ').slice(1, -1))
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    expect(copied.length).toBeGreaterThan(4)
    for (const path of copied)
      expect([path, existsSync(join(root, path)), allowed.includes(path)]).toEqual([path, true, true])
    expect(allowed.filter((path) => !copied.includes(path))).toEqual([])
  })

  it('builds projects that reference nothing outside of the image', () => {
    const folders = [...services.map((service) => `services/${service}`), 'packages/operations']
    const built = folders.flatMap((folder) => projectsOf(folder))
    expect(built.filter((path) => !/^(packages|services)\/[a-z-]+$/.test(path))).toEqual([])
    expect(built).toEqual(expect.arrayContaining([...folders, 'packages/contracts', 'packages/platform']))
  })

  it('builds once for all services, runs without root, and checks readiness at the management port', () => {
    const build = lines.findIndex((line) => line.includes('tsc -b services/*'))
    expect(lines.findIndex((line) => line === 'ARG SERVICE')).toBeGreaterThan(build)
    expect(build).toBeGreaterThan(0)
    expect(lines[build]).toContain('pnpm --filter @partsbus/admin build')
    expect(lines.filter((line) => line === 'USER node')).toHaveLength(2)
    // the last stage is the one without --target
    expect(lines.findLast((line) => line.startsWith('FROM'))).toBe('FROM base AS service')
    expect(lines.find((line) => line.includes('/readyz'))).toContain('MANAGEMENT_PORT')
    expect(
      lines.filter((line) => line.startsWith('FROM')).map((line) => line.replace(/--platform=\S+ /, '').split(' ')[1]),
    ).toEqual(['${NODE_IMAGE}', 'build', 'build', '${GO_IMAGE}', '${NODE_IMAGE}', 'base', 'cli', 'base'])
  })

  it('says in labels and in the environment what it was built from', () => {
    const labels = lines.flatMap((line) => /org\.opencontainers\.image\.(\w+)/.exec(line)?.[1] ?? [])
    const common = ['version', 'revision', 'created', 'source', 'licenses']
    const each = ['title', 'description']
    expect(labels).toEqual([...common, ...each, ...each, ...each])
    expect(lines).toContain('ENV PARTSBUS_COMMIT=$COMMIT')
    const { license } = JSON.parse(read('package.json')) as { license: string }
    expect(read('deploy/Dockerfile')).toContain(`org.opencontainers.image.licenses=${license}\n`)
  })

  it('copies into the backup image the licenses of the tools that it adds', () => {
    expect(read('deploy/Dockerfile')).toMatch(/FROM cli AS backup[^]*mongodump[^]*LICENSE\.md[^]*FROM base AS service/)
  })

  it('uses the same package manager as the start script', () => {
    const version = /pnpm@([\d.]+)/.exec(read('deploy/Dockerfile'))?.[1]
    expect(read('scripts/check.mjs')).toContain(`pnpm@${version}`)
  })
})

describe('docker-compose.build.yml', () => {
  const [built] = readYaml<{ services: Record<string, { build: NonNullable<Container['build']> }> }>(
    'docker-compose.build.yml',
  )

  it('builds each image of docker-compose.yml once, and nothing else', () => {
    expect(Object.keys(built?.services ?? {}).sort()).toEqual([...images].sort())
  })

  it.each(images)('%s from the Dockerfile, with what its labels say', (name) => {
    const { target, args, ...build } = built?.services[name]?.build ?? { args: undefined }
    expect(build).toEqual({ context: '.', dockerfile: 'deploy/Dockerfile' })
    expect(services.includes(name) ? args?.SERVICE : target).toBe(name)
    expect(args).toMatchObject({
      NODE_IMAGE: '${NODE_IMAGE:-node:24-slim}',
      VERSION: '${PARTSBUS_VERSION:-local}',
      COMMIT: '${COMMIT:-unknown}',
      CREATED: '${CREATED:-}',
      SOURCE: '${SOURCE:-}',
    })
    for (const given of Object.keys(args ?? {}))
      expect(read('deploy/Dockerfile')).toMatch(new RegExp(`^ARG ${given}\\b`, 'm'))
  })
})
