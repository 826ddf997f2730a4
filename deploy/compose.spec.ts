import { describe, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import {
  databaseUser,
  isRead,
  read,
  readYaml,
  root,
  services,
  sources,
  variablesRead,
  withDatabase,
} from './testing/checkout.js'
import { compose, type Container, defaultValue, ferretdb, observability } from './testing/compose-file.js'

const containers = Object.entries(compose.services)
const FILES = ['docker-compose.yml', 'docker-compose.ferretdb.yml', 'deploy/observability/compose.yaml']
const declaredSecrets = [compose, ferretdb, observability].flatMap(({ secrets }) =>
  Object.values(secrets).map(({ file }) => join('deploy/secrets', basename(file))),
)
/** They end by themselves. */
const jobs = ['provision', 'cli']
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
  it('runs six services, the provisioning job, the database and the bus, and on demand the command line', () => {
    const always = containers.filter(([, { profiles }]) => profiles === undefined).map(([name]) => name)
    expect(always.sort()).toEqual([...services, 'provision', 'mongo', 'nats'].sort())
    expect(Object.keys(compose.services).filter((name) => !always.includes(name))).toEqual(['cli', 'caddy'])
    expect(compose.services.caddy?.profiles).toEqual(['edge'])
    expect(compose.services.cli?.profiles).toEqual(['cli'])
  })

  it.each(containers)('%s has a memory limit and a cheap health check', (name, { mem_limit: limit, healthcheck }) => {
    expect(defaultValue(limit ?? '')).toMatch(/^\d+[mg]$/)
    if (jobs.includes(name)) return
    const { interval, start_interval: atFirst, start_period: period } = healthcheck ?? {}
    expect([interval, atFirst, period]).toEqual(['60s', '5s', expect.stringMatching(/^(60|120)s$/)])
  })

  it.each(containers)('%s can be scaled, has a health check, and its log is bounded', (name, container) => {
    expect(container).not.toHaveProperty('container_name')
    if (jobs.includes(name)) expect(container.healthcheck).toEqual({ disable: true })
    else expect(container.healthcheck?.test[0]).toBe('CMD')
    expect(container.logging.options).toHaveProperty('max-size')
    expect(container.ports ?? []).toHaveLength({ gateway: 1, caddy: 3 }[name] ?? 0)
    // clear text stays on the host unless its operator says otherwise
    if (name === 'gateway') expect(container.ports).toEqual(['${PORT:-127.0.0.1:8080}:8080'])
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
    '%s accepts each variable of its own, and docs/operate/configuration.md lists it',
    (name) => {
      const own = [...read(`services/${name}/src/config.ts`).matchAll(/^\s+([A-Z][A-Z0-9_]+):/gm)].map(
        ([, variable = '']) => variable,
      )
      expect(own.length).toBeGreaterThan(1)
      const given = Object.keys(compose.services[name]?.environment ?? {}).map((variable) =>
        variable.replace(/_FILE$/, ''),
      )
      expect(own.filter((variable) => !given.includes(variable))).toEqual([])
      expect(own.filter((variable) => !read('docs/operate/configuration.md').includes(`\`${variable}\``))).toEqual([])
    },
  )

  it.each(ours)('%s has a bus user of its own', (name, container) => {
    expect(container.environment).toMatchObject({
      NATS_USER: name,
      NATS_PASSWORD_FILE: `/run/secrets/nats_password_${name}`,
    })
  })

  it.each(withDatabase)('%s has a database and a user of its own', (name) => {
    const owner = databaseUser(name)
    expect(compose.services[name]?.environment).toMatchObject({
      MONGODB_URL_FILE: `/run/secrets/mongodb_url_${owner}`,
      MONGODB_DATABASE: `partsbus_${owner.replace('-', '_')}`,
    })
  })

  it('the gateway has no database', () => {
    const { environment = {}, secrets } = compose.services['gateway'] ?? {}
    expect([...Object.keys(environment), ...(secrets ?? [])].filter((name) => /mongodb/i.test(name))).toEqual([])
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
    for (const [file, folder] of [
      [compose, '.'],
      [ferretdb, '.'],
      [observability, 'deploy/observability'],
    ] as const)
      for (const [from = ''] of Object.values(file.services).flatMap(({ volumes = [] }) =>
        volumes.map((volume) => volume.split(':')),
      )) {
        // a folder of the host, or an anonymous volume
        if (from.startsWith('/')) continue
        if (from.startsWith('./')) expect([from, existsSync(join(root, folder, from))]).toEqual([from, true])
        else expect(Object.keys(file.volumes)).toContain(from)
      }
  })

  it('hands uploads over through a volume that is writable for the services', () => {
    for (const service of ['gateway', 'pricing-import']) {
      const { environment, volumes } = compose.services[service] as Container
      const folder = defaultValue(environment?.UPLOADS_PATH ?? '')
      expect(volumes).toContain(`uploads:${folder}`)
      expect(read('deploy/Dockerfile')).toContain(`RUN install -d -o node -g node ${folder}\n`)
    }
  })

  it('gives caddy an address that no other container gets, and trusts this address alone', () => {
    const address = defaultValue(compose.services.gateway?.environment?.TRUSTED_PROXIES ?? '')
    const network = '${EDGE_NETWORK:-172.30.253}'
    expect(compose.services.caddy?.networks).toEqual({ edge: { ipv4_address: `${network}.2` } })
    expect(compose.services.gateway?.networks).toEqual(['default', 'edge'])
    expect(compose.networks.edge?.ipam.config).toEqual([{ subnet: `${network}.0/24`, ip_range: `${network}.128/25` }])
    expect(address).toBe('172.30.253.2')
    expect(read('deploy/edge/Caddyfile')).toContain('dynamic a gateway 8080')
  })

  it('documents in .env.example every variable that it reads, with its default', () => {
    const taken = FILES.flatMap((file) => [...read(file).matchAll(/\$\{(\w+):-([^}]*)\}/g)]).map(
      ([, name, value]) => `${name}=${value}`,
    )
    const explained = read('.env.example')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
    expect([...new Set(taken)].sort()).toEqual(explained.sort())
    for (const file of FILES) expect(read(file).match(/\$\{?\w+(?!\w*:-)[}\s]/g)).toBeNull()
  })
})

describe('docker-compose.ferretdb.yml', () => {
  it.each(withDatabase)('gives %s the same user and password at a server without a replica set', (service) => {
    const { folder, remove } = makeSecrets()
    try {
      const secret = `ferretdb_url_${databaseUser(service)}`
      expect(ferretdb.services[service]).toEqual({
        environment: { MONGODB_URL_FILE: `/run/secrets/${secret}` },
        secrets: [secret],
      })
      const url = readFileSync(join(folder, `mongodb_url_${databaseUser(service)}`), 'utf8')
      expect(readFileSync(join(folder, secret), 'utf8')).toBe(url.replace('?replicaSet=rs0', ''))
      expect(url).toContain('?replicaSet=rs0')
    } finally {
      remove()
    }
  })

  it('creates the users from the same secrets as MongoDB', () => {
    const script = read('deploy/postgres/create-users.sh')
    const users = withDatabase.map(databaseUser)
    expect(script).toContain(`for service in ${users.join(' ')}; do`)
    for (const user of users) expect(ferretdb.services.postgres?.secrets).toContain(`mongodb_url_${user}`)
  })

  it('limits memory, logs and health checks as docker-compose.yml does', () => {
    const { mongo, postgres } = ferretdb.services
    for (const container of [mongo, postgres]) {
      expect(defaultValue(container?.mem_limit ?? '')).toMatch(/^\d+[mg]$/)
      expect(container?.healthcheck).toMatchObject({ interval: '60s', start_interval: '5s', start_period: '120s' })
    }
    expect(postgres?.logging).toEqual(compose.services.mongo?.logging)
  })
})

describe('deploy/observability/compose.yaml', () => {
  const servers = Object.entries(observability.services)

  it('belongs to docker-compose.yml', () => {
    expect(compose.include).toEqual(['deploy/observability/compose.yaml'])
    expect(servers.map(([name]) => name)).toEqual(['collector', 'prometheus', 'tempo', 'loki', 'grafana'])
  })

  it.each(servers)('%s runs on demand, with a memory limit and a bounded log', (name, server) => {
    expect(server.profiles).toEqual(['observability'])
    expect(server.mem_limit).toMatch(/^\d+[mg]$/)
    expect(server.logging.options).toHaveProperty('max-size')
    // nobody but the host itself reaches Grafana, and nobody at all the others
    const ports = name === 'grafana' ? ['127.0.0.1:${GRAFANA_PORT:-3000}:3000'] : undefined
    expect(server.ports).toEqual(ports)
  })

  it('names servers by their names in compose', () => {
    const names = [...servers.map(([name]) => name), ...services]
    for (const file of ['collector.yaml', 'prometheus.yaml', 'grafana/datasources.yaml'])
      for (const [, host = ''] of read(`deploy/observability/${file}`).matchAll(/(?:http:\/\/|endpoint: )([a-z]+):\d/g))
        expect(names).toContain(host)
  })

  it('gives Grafana the dashboards and the sources they name', () => {
    const [provisioned] = readYaml<{ datasources: { uid: string; type: string; url: string }[] }>(
      'deploy/observability/grafana/datasources.yaml',
    )
    expect(provisioned?.datasources.map(({ type }) => type)).toEqual(['prometheus', 'loki', 'tempo'])
    const [dashboards] = readYaml<{ providers: { options: { path: string } }[] }>(
      'deploy/observability/grafana/dashboards.yaml',
    )
    const folder = dashboards?.providers[0]?.options.path
    expect(observability.services.grafana?.volumes).toContain(`./dashboard.json:${folder}/partsbus.json:ro`)
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

describe('the command line', () => {
  const cli = compose.services.cli as Container

  it('has an image of its own, which no service contains', () => {
    expect(cli.build).toEqual({
      context: '.',
      dockerfile: 'deploy/Dockerfile',
      target: 'cli',
      args: { NODE_IMAGE: '${NODE_IMAGE:-node:24-slim}' },
    })
    const dependent = services.filter((name) =>
      /@partsbus\/(cli|operations)"/.test(read(`services/${name}/package.json`)),
    )
    expect(dependent).toEqual([])
    const dockerfile = read('deploy/Dockerfile')
    expect(dockerfile).toMatch(/write-plans\.js [^]*RUN pnpm --filter @partsbus\/operations deploy --prod \/cli\n/)
    const [, program = ''] = /RUN ln -s \/cli\/(\S+) \/usr\/local\/bin\/partsbus\n/.exec(dockerfile) ?? []
    expect(statSync(join(root, 'packages/operations', program)).mode & 0o111).toBe(0o111)
  })

  it('asks the services as the bus user who may ask all of them', () => {
    expect(cli.environment).toMatchObject({ NATS_USER: 'provision', PARTSBUS_URL: 'http://gateway:8080' })
  })

  it('reads every variable that is set for it', () => {
    const texts = [
      ...sources('packages/cli/src'),
      ...sources('packages/operations/src'),
      read('packages/file-store/src/config.ts'),
    ].join('\n')
    const isNamed = (variable: string) => new RegExp(`\\b${variable.replace(/_FILE$/, '')}\\b`).test(texts)
    expect(Object.keys(cli.environment ?? {}).filter((variable) => !isNamed(variable))).toEqual([])
  })
})

describe('deploy/secrets.sh', () => {
  it('creates every secret that compose declares, each unique and long, and keeps them when run again', () => {
    const { folder, remove } = makeSecrets()
    try {
      const contents = () =>
        Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
      const made = contents()
      const declared = declaredSecrets.map((file) => basename(file))
      expect(Object.keys(made).sort()).toEqual([...new Set(declared)].sort())
      // the bus repeats the passwords of its users, and FerretDB those of MongoDB and of PostgreSQL
      const repeated = [
        'nats_passwords',
        'ferretdb_postgresql_url',
        ...withDatabase.map((name) => `ferretdb_url_${databaseUser(name)}`),
      ]
      const random = Object.values(made).map((text) => /[0-9a-f]{64}/.exec(text)?.[0])
      expect(new Set(random).size).toBe(random.length - repeated.length)
      expect(made['secrets_key']).toMatch(/^[0-9a-f]{64}$/)
      spawnSync('sh', [join(root, 'deploy/secrets.sh'), folder])
      expect(contents()).toEqual(made)
      expect(statSync(folder).mode & 0o777).toBe(0o700)
    } finally {
      remove()
    }
  })

  it('creates them in a folder that git ignores', () => {
    const ignored = spawnSync('git', ['check-ignore', ...declaredSecrets], { cwd: root, encoding: 'utf8' })
      .stdout.split('\n')
      .filter(Boolean)
    expect(ignored).toEqual(declaredSecrets)
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
    expect(lines.find((line) => line.includes('/readyz'))).toContain('MANAGEMENT_PORT')
    expect(lines.filter((line) => line.startsWith('FROM')).map((line) => line.split(' ')[1])).toEqual([
      '${NODE_IMAGE}',
      'build',
      'build',
      '${NODE_IMAGE}',
      'base',
      'base',
    ])
  })

  it('uses the same package manager as the start script', () => {
    const version = /pnpm@([\d.]+)/.exec(read('deploy/Dockerfile'))?.[1]
    expect(read('scripts/check.mjs')).toContain(`pnpm@${version}`)
  })
})
