import { describe, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRead, read, root, services, variablesRead } from './testing/checkout.js'
import { compose, type Container } from './testing/compose-file.js'

const containers = Object.entries(compose.services)
const ours = services.map((name): [string, Container] => [name, compose.services[name] as Container])

/** A folder of secrets created by the script. */
function makeSecrets(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-secrets-'))
  const run = spawnSync('sh', [join(root, 'deploy/secrets.sh'), folder], { encoding: 'utf8' })
  if (run.status !== 0) throw new Error(run.stderr)
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}

/** A TypeScript project and all that it references, relative to the root of the checkout. */
function projectsOf(folder: string): string[] {
  const { references = [] } = JSON.parse(read(join(folder, 'tsconfig.json'))) as { references?: { path: string }[] }
  return [folder, ...references.flatMap(({ path }) => projectsOf(join(folder, path)))]
}

describe('docker-compose.yml', () => {
  it('runs five services, the provisioning job, the database and the bus', () => {
    expect(containers.map(([name]) => name).sort()).toEqual([...services, 'provision', 'mongo', 'nats'].sort())
  })

  it.each(containers)('%s can be scaled, has a health check, and its log is bounded', (name, container) => {
    expect(container).not.toHaveProperty('container_name')
    if (name === 'provision') expect(container.healthcheck).toEqual({ disable: true })
    else expect(container.healthcheck?.test[0]).toBe('CMD')
    expect(container.logging.options).toHaveProperty('max-size')
    expect(container.ports ?? []).toHaveLength(name === 'gateway' ? 1 : 0)
  })

  it.each(ours)(
    '%s is built from the Dockerfile and starts after the servers and the provisioning',
    (name, container) => {
      const args = { SERVICE: name, NODE_IMAGE: '${NODE_IMAGE:-node:24-slim}' }
      expect(container.build).toEqual({ context: '.', dockerfile: 'deploy/Dockerfile', args })
      expect(existsSync(join(root, 'services', name, 'package.json'))).toBe(true)
      expect(container.depends_on).toEqual({
        mongo: { condition: 'service_healthy' },
        nats: { condition: 'service_healthy' },
        provision: { condition: 'service_completed_successfully' },
      })
      expect(container.stop_grace_period).toBe('30s')
    },
  )

  it.each(ours)('%s reads every variable that is set for it', (name, container) => {
    const known = variablesRead(name)
    expect(Object.keys(container.environment ?? {}).filter((variable) => !isRead(known, variable))).toEqual([])
  })

  it.each(['pricing-import', 'supplier-search'])(
    '%s accepts each variable of its own, and docs/running.md lists it',
    (name) => {
      const own = [...read(`services/${name}/src/config.ts`).matchAll(/^\s+([A-Z][A-Z0-9_]+):/gm)].map(
        ([, variable = '']) => variable,
      )
      expect(own.length).toBeGreaterThan(1)
      const given = Object.keys(compose.services[name]?.environment ?? {}).map((variable) =>
        variable.replace(/_FILE$/, ''),
      )
      expect(own.filter((variable) => !given.includes(variable))).toEqual([])
      expect(own.filter((variable) => !read('docs/running.md').includes(`\`${variable}\``))).toEqual([])
    },
  )

  it.each(ours)('%s has a database, a bus user and secrets of its own', (name, container) => {
    expect(container.environment).toMatchObject({
      MONGODB_URL_FILE: `/run/secrets/mongodb_url_${name}`,
      MONGODB_DATABASE: `partsbus_${name.replace('-', '_')}`,
      NATS_USER: name,
      NATS_PASSWORD_FILE: `/run/secrets/nats_password_${name}`,
    })
  })

  it.each(containers)('%s reads each secret from a declared and mounted file', (_name, container) => {
    const files = Object.values(container.environment ?? {}).filter((value) =>
      String(value).startsWith('/run/secrets/'),
    )
    for (const file of files) expect(container.secrets).toContain(file.slice('/run/secrets/'.length))
    for (const secret of container.secrets ?? []) expect(compose.secrets).toHaveProperty(secret)
    const named = Object.keys(container.environment ?? {}).filter((variable) =>
      /PASSWORD|TOKEN|KEY|MONGODB_URL/.test(variable),
    )
    expect(named.filter((variable) => !variable.endsWith('_FILE'))).toEqual([])
  })

  it('mounts files of the repository and declared volumes', () => {
    for (const [from = ''] of containers.flatMap(([, { volumes = [] }]) =>
      volumes.map((volume) => volume.split(':')),
    )) {
      // a path alone is an anonymous volume
      if (from.startsWith('/')) continue
      if (from.startsWith('./')) expect([from, existsSync(join(root, from))]).toEqual([from, true])
      else expect(Object.keys(compose.volumes)).toContain(from)
    }
  })

  it('documents in .env.example every variable that it reads, with its default', () => {
    const taken = [...read('docker-compose.yml').matchAll(/\$\{(\w+):-([^}]*)\}/g)].map(
      ([, name, value]) => `${name}=${value}`,
    )
    const explained = read('.env.example')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
    expect([...new Set(taken)].sort()).toEqual(explained.sort())
    expect(read('docker-compose.yml').match(/\$\{?\w+(?!\w*:-)[}\s]/g)).toBeNull()
  })
})

describe('the provisioning job', () => {
  const job = compose.services.provision as Container

  it('runs a program of the image it uses, as the bus user that may create streams', () => {
    expect(job.command?.[1]).toBe('node_modules/@partsbus/platform/dist/bus/provision-main.js')
    expect(existsSync(join(root, 'packages/platform/src/bus/provision-main.ts'))).toBe(true)
    expect(job.environment).toMatchObject({ NATS_USER: 'provision' })
    expect(job.depends_on).toEqual({ nats: { condition: 'service_healthy' } })
  })

  it('reads every variable that is set for it', () => {
    const known = variablesRead('stock')
    expect(Object.keys(job.environment ?? {}).filter((variable) => !isRead(known, variable))).toEqual([])
  })
})

describe('deploy/secrets.sh', () => {
  it('creates every secret that compose declares, each unique and long, and keeps them when run again', () => {
    const { folder, remove } = makeSecrets()
    try {
      const contents = () =>
        Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
      const made = contents()
      const declared = Object.values(compose.secrets).map(({ file }) => file.replace('./deploy/secrets/', ''))
      expect(Object.keys(made).sort()).toEqual(declared.sort())
      expect(new Set(Object.values(made).map((text) => /[0-9a-f]{64}/.exec(text)?.[0]))).toHaveProperty(
        'size',
        declared.length - 1,
      )
      expect(made['secrets_key']).toMatch(/^[0-9a-f]{64}$/)
      spawnSync('sh', [join(root, 'deploy/secrets.sh'), folder])
      expect(contents()).toEqual(made)
      expect(statSync(folder).mode & 0o777).toBe(0o700)
    } finally {
      remove()
    }
  })

  it('creates them in a folder that git ignores', () => {
    const asked = Object.values(compose.secrets).map(({ file }) => file)
    const ignored = spawnSync('git', ['check-ignore', ...asked], { cwd: root, encoding: 'utf8' })
      .stdout.split('\n')
      .filter(Boolean)
    expect(ignored).toEqual(asked)
  })
})

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
    const folders = services.map((service) => `services/${service}`)
    const built = folders.flatMap((folder) => projectsOf(folder))
    expect(built.filter((path) => !/^(packages|services)\/[a-z-]+$/.test(path))).toEqual([])
    expect(built).toEqual(expect.arrayContaining([...folders, 'packages/contracts', 'packages/platform']))
  })

  it('builds once for all services, runs without root, and checks readiness at the management port', () => {
    const build = lines.findIndex((line) => line.includes('tsc -b services/*'))
    expect(lines.findIndex((line) => line === 'ARG SERVICE')).toBeGreaterThan(build)
    expect(build).toBeGreaterThan(0)
    expect(lines[build]).toContain('pnpm --filter @partsbus/admin build')
    expect(lines).toContain('USER node')
    expect(lines.find((line) => line.includes('/readyz'))).toContain('MANAGEMENT_PORT')
    expect(lines.filter((line) => line.startsWith('FROM')).map((line) => line.split(' ')[1])).toEqual([
      '${NODE_IMAGE}',
      '${NODE_IMAGE}',
    ])
  })

  it('uses the same package manager as the start script', () => {
    const version = /pnpm@([\d.]+)/.exec(read('deploy/Dockerfile'))?.[1]
    expect(read('scripts/check.mjs')).toContain(`pnpm@${version}`)
  })
})
