import { describe, expect, it } from '@jest/globals'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  databaseUser,
  isRead,
  read,
  readYaml,
  root,
  services,
  sourcePaths,
  sources,
  variablesRead,
  withDatabase,
} from './testing/checkout.js'
import { compose, type Container, defaultValue, ferretdb, images, observability } from './testing/compose-file.js'

const containers = Object.entries(compose.services)
const FILES = [
  'docker-compose.yml',
  'docker-compose.build.yml',
  'docker-compose.ferretdb.yml',
  'deploy/observability/compose.yaml',
]
/** They end by themselves. */
const jobs = ['provision', 'cli']
const ours = services.map((name): [string, Container] => [name, compose.services[name] as Container])

/** Variables that belong to the inside of a container, or that are secrets and thus files. */
const FIXED = new Set([
  ...['HOST', 'PORT', 'MANAGEMENT_HOST', 'MANAGEMENT_PORT'],
  ...['MONGODB_URL', 'MONGODB_DATABASE', 'NATS_USER', 'NATS_PASSWORD'],
  ...['ADMIN_TOKEN', 'SECRETS_KEY', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
])

/** Keys of the schemas that a service reads its configuration by. */
function configured(service: string): string[] {
  const paths = [
    'packages/platform/src/process/config.ts',
    ...sourcePaths(`services/${service}/src`).filter((path) => path.endsWith('config.ts')),
    ...(['catalog', 'pricing-import'].includes(service) ? ['packages/file-store/src/config.ts'] : []),
  ]
  const names = paths.flatMap((path) =>
    [...read(path).matchAll(/^\s+([A-Z][A-Z0-9_]+): /gm)].map(([, name = '']) => name),
  )
  return withDatabase.includes(service) ? names : names.filter((name) => !name.startsWith('MONGODB_'))
}

describe('docker-compose.yml', () => {
  it('runs six services, the provisioning job, the database and the bus, and on demand the command line', () => {
    const always = containers.filter(([, { profiles }]) => profiles === undefined).map(([name]) => name)
    expect(always.sort()).toEqual([...services, 'provision', 'mongo', 'nats'].sort())
    expect(Object.keys(compose.services).filter((name) => !always.includes(name))).toEqual(['cli', 'backup', 'caddy'])
    expect(compose.services.backup?.profiles).toEqual(['backup'])
    expect(compose.services.caddy?.profiles).toEqual(['edge'])
    expect(compose.services.cli?.profiles).toEqual(['cli'])
  })

  it.each(containers)('%s has a limit of memory without swap, and a cheap health check', (name, container) => {
    const { mem_limit: limit, memswap_limit: withSwap, healthcheck } = container
    expect(defaultValue(limit ?? '')).toMatch(/^\d+[mg]$/)
    expect(withSwap).toBe(limit)
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

  it.each(ours)('%s starts after the servers and the provisioning', (_name, container) => {
    expect(container.depends_on).toEqual({
      mongo: { condition: 'service_healthy' },
      nats: { condition: 'service_healthy' },
      provision: { condition: 'service_completed_successfully' },
    })
    expect(container.stop_grace_period).toBe('30s')
  })

  it.each(ours)('%s has as many containers as its variable says, also after the next `up`', (name, { scale }) => {
    expect(scale).toBe(`\${${name.toUpperCase().replace('-', '_')}_REPLICAS:-1}`)
  })

  it('pulls the image of each container, and never one that a stranger could publish under our name', () => {
    const named = images.map((name) => compose.services[name]?.image)
    const expected = images.map(
      (name) => `\${PARTSBUS_REGISTRY:-localhost/partsbus}/${name}:\${PARTSBUS_VERSION:-local}`,
    )
    expect(named).toEqual(expected)
    expect(compose.services.provision?.image).toBe(compose.services.stock?.image)
    expect(containers.filter(([, { build }]) => build !== undefined)).toEqual([])
  })

  it.each(containers)('%s gains no privileges and starts a bounded number of processes', (name, container) => {
    expect(container.cap_drop).toEqual(['ALL'])
    expect(container.security_opt).toEqual(['no-new-privileges:true'])
    expect(container.pids_limit).toBeGreaterThan(0)
    const allowed = { mongo: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'], caddy: ['NET_BIND_SERVICE'] }
    expect(container.cap_add ?? []).toEqual(allowed[name as 'mongo'] ?? [])
    if (name !== 'mongo') expect(container.read_only).toBe(true)
  })

  it.each(ours)('%s reads every variable that is set for it', (name, container) => {
    const known = variablesRead(name)
    expect(Object.keys(container.environment ?? {}).filter((variable) => !isRead(known, variable))).toEqual([])
  })

  it.each(ours)('%s can be given by .env every variable that it reads, and docs/operate has it', (name, container) => {
    const own = [...variablesRead(name)].filter((variable) => configured(name).includes(variable))
    expect(own.length).toBeGreaterThan(5)
    const settable = Object.entries(container.environment ?? {}).flatMap(([variable, value]) =>
      String(value).startsWith(`\${${variable}:-`) ? [variable] : [],
    )
    const unset = own.filter((variable) => !settable.includes(variable) && !FIXED.has(variable))
    expect(unset).toEqual([])
    const page = read('docs/operate/configuration.md')
    expect(own.filter((variable) => !page.includes(`\`${variable}\``))).toEqual([])
  })

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
        volumes.map((volume) => volume.replace(/\$\{\w+:-([^}]*)\}/, '$1').split(':')),
      )) {
        // a folder of the host, or an anonymous volume
        if (from.startsWith('/')) continue
        if (from.startsWith('./')) expect([from, existsSync(join(root, folder, from))]).toEqual([from, true])
        else expect(Object.keys(file.volumes)).toContain(from)
      }
  })

  it.each([
    ['UPLOADS_PATH', 'uploads', ['gateway', 'pricing-import']],
    ['STORAGE_PATH', '${FILES_VOLUME:-files}', ['catalog', 'pricing-import', 'cli', 'backup']],
  ])('mounts a volume at %s that its services may write', (variable, volume, users) => {
    for (const service of users) {
      const { environment, volumes } = compose.services[service] as Container
      const folder = defaultValue(environment?.[variable] ?? '')
      expect(volumes).toContain(`${volume}:${folder}`)
      expect(read('deploy/Dockerfile')).toMatch(new RegExp(`RUN install -d -o node -g node .*${folder}\\b`))
    }
  })

  it('gives caddy an address that no other container gets, and trusts this address alone', () => {
    const network = '${EDGE_NETWORK:-172.30.253}'
    expect(compose.services.caddy?.networks).toEqual({ edge: { ipv4_address: `${network}.2` } })
    expect(compose.services.gateway?.networks).toEqual(['default', 'edge'])
    expect(compose.networks.edge?.ipam.config).toEqual([{ subnet: `${network}.0/24`, ip_range: `${network}.128/25` }])
    expect(compose.services.gateway?.environment?.TRUSTED_PROXIES).toBe(`\${TRUSTED_PROXIES:-${network}.2}`)
    expect(read('deploy/edge/Caddyfile')).toContain('dynamic a gateway 8080')
  })

  it('redirects plain HTTP to the public address, whose port may be another than 443', () => {
    expect(compose.services.caddy?.environment?.EDGE_URL).toBe('${PUBLIC_URL:-https://${EDGE_HOST:-localhost}}')
    expect(read('deploy/edge/Caddyfile')).toMatch(
      /http:\/\/\{\$EDGE_HOST\} \{\s+redir \{\$EDGE_URL\}\{uri\} permanent\s+\}/,
    )
  })

  it('documents in .env.example every variable that it reads, with its default', () => {
    const taken = FILES.flatMap((file) => [...read(file).matchAll(/\$\{(\w+):-([^{}]*)\}/g)]).map(
      ([, name, value]) => `${name}=${value}`,
    )
    // a default of these is made from another variable
    const derived = ['TRUSTED_PROXIES=', 'PUBLIC_URL=']
    // read by Compose itself
    const ofCompose = ['COMPOSE_PROFILES=', 'COMPOSE_FILE=docker-compose.yml']
    const explained = read('.env.example')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
    expect(explained.sort()).toEqual([...new Set([...taken, ...derived, ...ofCompose])].sort())
    for (const file of FILES) expect(read(file).match(/\$\{?\w+(?!\w*:-)[}\s]/g)).toBeNull()
  })
})

describe('deploy/observability/compose.yaml', () => {
  const servers = Object.entries(observability.services)

  it('belongs to docker-compose.yml', () => {
    expect(compose.include).toEqual(['deploy/observability/compose.yaml'])
    const names = ['alertmanager', 'nats-exporter', 'mongodb-exporter', 'tempo', 'loki', 'grafana']
    expect(servers.map(([name]) => name)).toEqual(['collector', 'prometheus', ...names])
  })

  it.each(servers)('%s runs on demand, with a memory limit and a bounded log', (name, server) => {
    expect(server.profiles).toEqual(['observability'])
    expect(server.mem_limit).toMatch(/^\d+[mg]$/)
    expect(server.memswap_limit).toBe(server.mem_limit)
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
    const dependent = services.filter((name) =>
      /@partsbus\/(cli|operations)"/.test(read(`services/${name}/package.json`)),
    )
    expect(dependent).toEqual([])
    const dockerfile = read('deploy/Dockerfile')
    expect(dockerfile).toMatch(/write-plans\.js [^]*RUN pnpm --filter @partsbus\/operations deploy --prod \/cli\n/)
    const [, program = ''] = /RUN ln -s \/cli\/(\S+) \/usr\/local\/bin\/partsbus /.exec(dockerfile) ?? []
    expect(statSync(join(root, 'packages/operations', program)).mode & 0o111).toBe(0o111)
  })

  it('asks the services as the bus user who may ask all of them', () => {
    expect(cli.environment).toMatchObject({ NATS_USER: 'provision', PARTSBUS_URL: 'http://gateway:8080' })
  })

  it.each(['cli', 'backup'])(
    '%s opens all databases without a password on its command line, with either server',
    (name) => {
      const { environment, secrets } = compose.services[name] as Container
      expect([environment?.MONGODB_URL_FILE, secrets]).toEqual([
        '/run/secrets/mongodb_url_root',
        expect.arrayContaining(['mongodb_url_root', 'admin_token', 'secrets_key']),
      ])
      expect(ferretdb.services[name]).toEqual({
        environment: { MONGODB_URL_FILE: '/run/secrets/ferretdb_url_gateway' },
        secrets: ['ferretdb_url_gateway'],
      })
    },
  )

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
