import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { listContains, parseAddress, parseAddressList } from '@partsbus/platform/net/address-list'
import { parseAllDocuments } from 'yaml'
import { databaseUser, read, readYaml, root, services, withDatabase } from './testing/checkout.js'
import { exampleSecrets, type Manifest, openManifests, podOf, renderedFolders } from './testing/manifests.js'

const { version } = JSON.parse(read('package.json')) as { version: string }
const renderings = renderedFolders.map((folder) => basename(folder))

describe('jobs', () => {
  const jobs = renderings.flatMap((name) => openManifests(name).manifests.filter(({ kind }) => kind === 'Job'))

  it.each(jobs.map((job) => [job.metadata.name, job] as const))('%s may be applied again', (name, job) => {
    // the job of another version is another object
    expect(name.endsWith(`-${version.replaceAll('.', '-')}`)).toBe(true)
    expect(job.metadata.annotations).toEqual({
      'argocd.argoproj.io/hook': 'Sync',
      'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation,HookSucceeded',
    })
    // a controller would create a job that deletes itself again and again
    expect(job.spec).not.toHaveProperty('ttlSecondsAfterFinished')
  })

  it('migrate no database in the overlays that run the services', () => {
    expect(openManifests('small').named('Job')).toEqual(['provision'])
    expect(openManifests('production').named('Job')).toEqual(['provision'])
  })

  it('migrate each database as its service would, and as docs/operate/upgrade.md says', () => {
    const { manifests, find } = openManifests('migrations')
    const production = openManifests('production')
    expect(manifests.map(({ kind }) => kind)).toEqual(withDatabase.map(() => 'Job'))
    for (const service of withDatabase) {
      const migration = find('Job', `migrate-${service}`)
      const [job] = podOf(migration)?.containers ?? []
      const [container] = podOf(production.find('Deployment', service))?.containers ?? []
      expect(migration?.metadata.labels['app.kubernetes.io/component']).toBe('migration')
      expect(job?.image).toBe(container?.image)
      for (const variable of job?.env ?? []) expect(container?.env).toContainEqual(variable)
      expect(read('docs/operate/upgrade.md')).toContain(job?.command?.join(' '))
    }
  })
})

describe('deployments', () => {
  it('can be applied one after another by the selectors of docs/operate/upgrade.md', () => {
    const deployments = openManifests('production').manifests.filter(({ kind }) => kind === 'Deployment')
    for (const { metadata } of deployments) expect(metadata.labels['app.kubernetes.io/name']).toBe(metadata.name)
    const [, others = ''] = /services='([^']+)'/.exec(read('docs/operate/upgrade.md')) ?? []
    expect(['gateway', 'administration', ...others.split(', ')].sort()).toEqual([...services].sort())
  })
})

describe('routes', () => {
  interface Match {
    path: string
    isPrefix: boolean
  }
  const byIngress = ({ spec }: Manifest): Match[] => {
    const { rules } = spec as unknown as {
      rules: { http: { paths: { path: string; pathType: string }[] } }[]
    }
    return rules.flatMap(({ http }) =>
      http.paths.map(({ path, pathType }) => ({ path, isPrefix: pathType === 'Prefix' })),
    )
  }
  const byGatewayApi = ({ spec }: Manifest): Match[] => {
    const { rules } = spec as unknown as { rules: { matches: { path: { type: string; value: string } }[] }[] }
    return rules.flatMap(({ matches }) =>
      matches.map(({ path }) => ({ path: path.value, isPrefix: path.type === 'PathPrefix' })),
    )
  }
  const reaches = (matches: Match[], asked: string): boolean =>
    matches.some(({ path, isPrefix }) => asked === path || (isPrefix && asked.startsWith(`${path}/`)))
  const prefixes = [...read('services/gateway/src/app.ts').matchAll(/prefix: '(\/[^']+)'/g)].map(
    ([, path = '']) => path,
  )

  it.each([
    ['small', 'Ingress', byIngress],
    ['production', 'HTTPRoute', byGatewayApi],
  ] as const)('of %s keep administrators apart from everybody else', (overlay, kind, matchesOf) => {
    const { get } = openManifests(overlay)
    const [open, admin] = [matchesOf(get(kind, 'gateway')), matchesOf(get(kind, 'admin'))]
    expect(prefixes.filter((path) => reaches(open, `${path}/x`))).toEqual(['/api/erp', '/api/b2b', '/media', '/docs'])
    expect(prefixes.filter((path) => reaches(admin, `${path}/x`))).toEqual(['/api/admin', '/docs', '/admin'])
    expect([reaches(open, '/'), reaches(admin, '/'), reaches(open, '/admin')]).toEqual([false, true, false])
    const hosts = [get(kind, 'gateway'), get(kind, 'admin')].map(({ spec }) => {
      const { hostnames = [], rules = [] } = spec as unknown as {
        hostnames?: string[]
        rules: { host?: string }[]
      }
      return [...hostnames, ...rules.flatMap(({ host }) => host ?? [])]
    })
    expect(hosts).toEqual([['parts.example.org'], ['admin.parts.example.org']])
  })

  it('of administrators have a list of addresses, in which the jobs of the cluster are', () => {
    const allowed = openManifests('small').find('ConfigMap', 'partsbus')?.data.ADMIN_ALLOWED_IPS?.split(',') ?? []
    const list = parseAddressList(allowed)
    const isAllowed = (text: string) => {
      const address = parseAddress(text)
      return address !== undefined && listContains(list, address)
    }
    // pods of k3s, of other clusters, and a client on the internet
    const addresses = ['10.42.0.7', '172.20.1.1', '192.168.3.4', '100.64.0.9', 'fd00::7', '203.0.113.7', '2001:db8::7']
    expect(addresses.filter(isAllowed)).toEqual(addresses.slice(0, 5))
  })
})

describe('the component monitoring', () => {
  const { manifests, find, get } = openManifests('production')
  const spec = (kind: string, name: string) => get(kind, name).spec as unknown as Record<string, unknown>

  it('alerts as Prometheus beside compose does', () => {
    const [alerts] = readYaml<object>('deploy/observability/alerts.yaml')
    const [written] = readYaml<Manifest>('deploy/kubernetes/components/monitoring/rules.yaml')
    expect(written?.spec).toEqual(alerts)
    // kustomize breaks folded lines elsewhere, which means nothing to PromQL
    const inLines = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replace(/(\\n| )+/g, ' '))
    expect(inLines(spec('PrometheusRule', 'partsbus'))).toEqual(inLines(alerts))
  })

  it('has the dashboard, where the sidecar of Grafana looks for it', () => {
    const { data, metadata } = find('ConfigMap', 'dashboard') ?? {}
    expect(data).toEqual({ 'partsbus.json': read('deploy/observability/dashboard.json') })
    expect(metadata?.labels.grafana_dashboard).toBe('1')
  })

  it.each([
    ['partsbus', services],
    ['nats', ['nats']],
  ])('scrapes %s as the job of this name', (name, workloads) => {
    const { jobLabel, selector, podMetricsEndpoints } = spec('PodMonitor', name) as {
      jobLabel: string
      selector: { matchLabels: Record<string, string> }
      podMetricsEndpoints: { port: string; path: string }[]
    }
    const selected = manifests.filter(({ kind, spec: workload }) => {
      if (!['Deployment', 'StatefulSet'].includes(kind)) return false
      const { labels } = workload.template.metadata
      return Object.entries(selector.matchLabels).every(([label, value]) => labels[label] === value)
    })
    expect(selected.map(({ metadata }) => metadata.name).sort()).toEqual([...workloads].sort())
    for (const manifest of selected) {
      expect(manifest.spec.template.metadata.labels[jobLabel]).toBe(name)
      const ports = podOf(manifest)?.containers.flatMap((container) => container.ports ?? [])
      expect(ports?.map((port) => port.name)).toContain(podMetricsEndpoints[0]?.port)
    }
  })

  it('is where KEDA asks, by one address', () => {
    const addresses = ['pricing-import', 'supplier-search'].flatMap((name) => {
      const { triggers } = spec('ScaledObject', name) as { triggers: { metadata: { serverAddress: string } }[] }
      return triggers.map(({ metadata }) => metadata.serverAddress)
    })
    expect(addresses).toEqual(Array(2).fill('http://prometheus-operated.monitoring:9090'))
    expect(find('ConfigMap', 'prometheus-address')).toBeUndefined()
  })
})

describe('the component uploads', () => {
  const { find } = openManifests('nats-chart')

  it('hands uploads over through a volume that all nodes may write', () => {
    expect(find('PersistentVolumeClaim', 'uploads')?.spec.accessModes).toEqual(['ReadWriteMany'])
    const users = services.filter((service) => {
      const pod = podOf(find('Deployment', service))
      const path = pod?.containers[0].env.find(({ name }) => name === 'UPLOADS_PATH')?.value
      const volume = pod?.volumes.find(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === 'uploads')
      if (path === undefined) return false
      expect(pod?.containers[0].volumeMounts).toContainEqual({ name: volume?.name, mountPath: path })
      return true
    })
    expect(users).toEqual(['gateway', 'pricing-import'])
  })
})

describe('secrets.sh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-kubernetes-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  function run(env: Record<string, string> = {}, args = [folder]) {
    const { PATH = '' } = process.env
    const script = join(root, 'deploy/kubernetes/secrets.sh')
    return spawnSync('sh', [script, ...args], { encoding: 'utf8', env: { PATH, ...env } })
  }

  function print(env?: Record<string, string>) {
    const { status, stdout, stderr } = run(env)
    if (status !== 0) throw new Error(stderr)
    const secrets = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest)
    return new Map(
      secrets.map(({ metadata, data }) => {
        const values = Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()])
        return [metadata.name, { namespace: metadata.namespace, data: Object.fromEntries(values) as typeof data }]
      }),
    )
  }

  it('makes the Secrets of the example, with the same values each time', () => {
    const first = print()
    const keys = [...first].filter(([, { namespace }]) => namespace === 'partsbus')
    expect(new Map(keys.map(([name, { data }]) => [name, Object.keys(data).sort()]))).toEqual(exampleSecrets)
    expect([...first.values()].flatMap(({ data }) => Object.values(data)).filter((value) => value === '')).toEqual([])
    expect(print()).toEqual(first)
    expect(first.get('partsbus-doctor')?.data.nats_password).toBe(first.get('partsbus-provision')?.data.nats_password)
    expect(first.get('partsbus-nats')?.data.cluster_password).toMatch(/^[A-Za-z0-9]{32,}$/)
  })

  it('addresses the members that it is told, with the options that it is told', () => {
    const made = print({ MONGODB_HOSTS: 'a.example:27017,b.example:27017', MONGODB_OPTIONS: 'replicaSet=rs1&tls=true' })
    const at = '@a.example:27017,b.example:27017'
    expect(made.get('partsbus-catalog')?.data.mongodb_url).toMatch(
      new RegExp(`^mongodb://catalog:[0-9a-f]{64}${at}/partsbus_catalog\\?replicaSet=rs1&tls=true$`),
    )
    expect(made.get('partsbus-backup')?.data.mongodb_url).toMatch(
      new RegExp(`^mongodb://backup:[0-9a-f]{64}${at}/\\?replicaSet=rs1&tls=true&authSource=admin$`),
    )
    expect(made.has('partsbus-mongodb')).toBe(false)
  })

  it('needs a folder', () => {
    expect(run({}, [])).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('FOLDER') })
  })

  it('opens the databases of the sample of MongoDB', () => {
    const made = print()
    const { spec } = openManifests('mongodb-community').get('MongoDBCommunity', 'mongodb')
    const { members, users } = spec as unknown as {
      members: number
      users: {
        name: string
        db: string
        passwordSecretRef: { name: string; key: string }
        roles: { name: string; db: string }[]
      }[]
    }
    const hosts = Array.from(
      { length: members },
      (_, at) => `mongodb-${at}.mongodb-svc.mongodb.svc.cluster.local:27017`,
    )
    for (const service of withDatabase) {
      const env = podOf(openManifests('small').find('Deployment', service))?.containers[0].env ?? []
      const database = env.find(({ name }) => name === 'MONGODB_DATABASE')?.value
      const user = users.find(({ name }) => name === databaseUser(service))
      expect(user).toMatchObject({ db: database, roles: [{ name: 'readWrite', db: database }] })
      const { passwordSecretRef: { name = '', key = '' } = {} } = user ?? {}
      const password = made.get(name)?.data[key]
      expect(made.get(`partsbus-${databaseUser(service)}`)?.data.mongodb_url).toBe(
        `mongodb://${user?.name}:${password}@${hosts.join()}/${database}?replicaSet=mongodb`,
      )
    }
    const password = made.get('partsbus-mongodb')?.data.backup
    expect(users.map(({ name }) => name)).toContain('backup')
    expect(made.get('partsbus-backup')?.data.mongodb_url).toBe(
      `mongodb://backup:${password}@${hosts.join()}/?replicaSet=mongodb&authSource=admin`,
    )
  })
})
