import { describe, expect, it } from '@jest/globals'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isRead, read, readYaml, root, services, sources, variablesRead, withDatabase } from './testing/checkout.js'
import { compose } from './testing/compose-file.js'
import { exampleSecrets, type Manifest, overlays, podOf, renderedManifests } from './testing/manifests.js'

const FOLDER = 'deploy/kubernetes'
const HARDENED = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
}

function open(overlay: (typeof overlays)[number]) {
  const manifests = renderedManifests(overlay)
  const find = (kind: string, name: string): Manifest | undefined =>
    manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)
  const named = (kind: string) =>
    manifests
      .filter((manifest) => manifest.kind === kind)
      .map((manifest) => manifest.metadata.name)
      .sort()
  return { manifests, find, named }
}

describe.each(overlays)('the overlay %s', (overlay) => {
  const { manifests, find, named } = open(overlay)
  const pods = manifests.flatMap((manifest) => {
    const pod = podOf(manifest)
    return pod ? [{ name: `${manifest.kind} ${manifest.metadata.name}`, manifest, pod }] : []
  })

  it('deploys the six services and the bus, and exposes only the gateway', () => {
    expect(named('Deployment')).toEqual([...services].sort())
    expect(named('StatefulSet')).toEqual(['nats'])
    expect(named('Service')).toEqual(['gateway', 'nats', 'nats-nodes'])
    expect([...named('Ingress'), ...named('HTTPRoute')]).toEqual(['gateway'])
    for (const name of named('Service')) expect(find('Service', name)?.spec).not.toHaveProperty('type')
  })

  it('puts everything into one namespace that refuses pods with more rights', () => {
    expect(find('Namespace', 'partsbus')?.metadata.labels).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'restricted',
    })
    const elsewhere = manifests.filter(
      ({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'partsbus',
    )
    expect(elsewhere).toEqual([])
  })

  it('limits disruptions to one pod per service', () => {
    expect(named('PodDisruptionBudget')).toEqual([...services, 'nats'].sort())
    for (const name of [...services, 'nats'])
      expect(find('PodDisruptionBudget', name)?.spec).toMatchObject({
        maxUnavailable: 1,
        selector: { matchLabels: { 'app.kubernetes.io/name': name } },
      })
  })

  it.each(pods)('restricts $name', ({ pod, manifest }) => {
    expect(pod.automountServiceAccountToken).toBe(false)
    expect(pod.serviceAccountName).toBe('partsbus')
    expect(pod.securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    const [container, ...others] = pod.containers
    expect(others).toEqual([])
    expect(container.securityContext).toEqual(HARDENED)
    expect(container.imagePullPolicy).toBe('IfNotPresent')
    expect(container.resources).toEqual({
      requests: { cpu: expect.any(String), memory: expect.any(String) },
      limits: { memory: expect.any(String), 'ephemeral-storage': expect.any(String) },
    })
    const labels = (manifest.spec.jobTemplate?.spec ?? manifest.spec).template.metadata.labels
    expect(labels['app.kubernetes.io/component']).toMatch(/^(service|job|migration|bus)$/)
    expect(labels).toMatchObject(manifest.spec.selector?.matchLabels ?? {})
  })

  it.each(pods)('reads secrets of $name by reference to a Secret that the example lists', ({ pod }) => {
    const secrets = pod.volumes.flatMap(({ secret }) => (secret ? [secret] : []))
    expect(secrets).toHaveLength(1)
    const keys = exampleSecrets.get(secrets[0]?.secretName ?? '') ?? []
    const [container] = pod.containers
    expect(container.volumeMounts).toContainEqual({ name: 'secrets', mountPath: '/run/secrets', readOnly: true })
    const files = container.env.filter(({ name }) => name.endsWith('_FILE')).map(({ value }) => value)
    const references = container.env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? [])
    for (const { name, key } of references) expect(exampleSecrets.get(name)).toContain(key)
    const items = secrets[0]?.items?.map(({ key }) => key)
    if (items) expect(keys).toEqual(expect.arrayContaining(items))
    else expect(files.sort()).toEqual(keys.map((key) => `/run/secrets/${key}`))
    const inClear = container.env.filter(({ name, value }) => /PASSWORD|TOKEN|KEY|MONGODB_URL$/.test(name) && value)
    expect(inClear.filter(({ name }) => !name.endsWith('_FILE'))).toEqual([])
  })

  it.each(services)('runs %s with probes, a grace period and spreading', (service) => {
    const pod = podOf(find('Deployment', service))
    const [container] = pod?.containers ?? []
    expect(pod?.terminationGracePeriodSeconds).toBe(30)
    expect(pod?.topologySpreadConstraints.map(({ topologyKey }) => topologyKey)).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ])
    const port = Number(find('ConfigMap', 'partsbus')?.data.MANAGEMENT_PORT)
    expect(container?.ports).toContainEqual({ name: 'management', containerPort: port })
    expect(container?.livenessProbe?.httpGet).toEqual({ path: '/livez', port: 'management' })
    expect(container?.startupProbe?.httpGet).toEqual({ path: '/livez', port: 'management' })
    expect(container?.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'management' })
    expect(find('Deployment', service)?.spec.strategy).toEqual({ rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } })
  })

  it.each(services)('sets variables that %s reads', (service) => {
    const [container] = podOf(find('Deployment', service))?.containers ?? []
    const known = variablesRead(service)
    expect(container?.env.map(({ name }) => name).filter((name) => !isRead(known, name))).toEqual([])
    expect(container?.envFrom).toEqual([{ configMapRef: { name: 'partsbus' } }])
    const anywhere = new Set(services.flatMap((name) => [...variablesRead(name)]))
    expect(Object.keys(find('ConfigMap', 'partsbus')?.data ?? {}).filter((name) => !isRead(anywhere, name))).toEqual([])
  })

  it('deploys the version of the root package', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string }
    for (const service of services)
      expect(podOf(find('Deployment', service))?.containers[0].image).toBe(`partsbus/${service}:${version}`)
  })

  it('trusts no proxy until one is configured', () => {
    expect(find('ConfigMap', 'partsbus')?.data.TRUSTED_PROXIES).toBe('')
  })

  it('routes to the gateway without a limit for the time of an upload', () => {
    const port = find('Service', 'gateway')?.spec.ports
    expect(port).toEqual([{ name: 'http', port: 80, targetPort: 'http' }])
    const [container] = podOf(find('Deployment', 'gateway'))?.containers ?? []
    const http = container?.ports?.find(({ name }) => name === 'http')?.containerPort
    expect(container?.env).toContainEqual({ name: 'PORT', value: String(http) })
    const route = find('HTTPRoute', 'gateway')?.spec
    if (route)
      expect(route.rules).toMatchObject([{ backendRefs: [{ name: 'gateway', port: 80 }], timeouts: { request: '0s' } }])
  })

  it('lets nobody connect but to the gateway, and the monitoring to management ports', () => {
    expect(named('NetworkPolicy')).toEqual([
      'backup',
      'database',
      'deny',
      'doctor',
      'gateway-http',
      'internet',
      'metrics',
      'names',
      'nats',
      'servers',
    ])
    const rules = (name: string) => find('NetworkPolicy', name)?.spec
    expect(rules('deny')).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
    expect(rules('gateway-http')?.ingress).toEqual([{ ports: [{ port: 'http' }] }])
    expect(rules('metrics')?.ingress).toMatchObject([{ from: [{}], ports: [{ port: 'management' }] }])
    // the gateway has no database
    expect(rules('servers')?.egress).toEqual([{ ports: [{ port: 4222 }, { port: 4318 }] }])
    expect(rules('database')).toMatchObject({
      podSelector: {
        matchExpressions: [
          { key: 'app.kubernetes.io/component', operator: 'In', values: ['service', 'migration'] },
          { key: 'app.kubernetes.io/name', operator: 'NotIn', values: ['gateway'] },
        ],
      },
      egress: [{ ports: [{ port: 27017 }] }],
    })
    const private4 = ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']
    expect(rules('internet')?.egress).toEqual([
      {
        to: [
          { ipBlock: { cidr: '0.0.0.0/0', except: private4 } },
          { ipBlock: { cidr: '::/0', except: ['fc00::/7', 'fe80::/10'] } },
        ],
      },
    ])
    // gateway and stock fetch nothing from addresses that an administrator enters
    expect(rules('internet')?.podSelector).toEqual({
      matchExpressions: [
        { key: 'app.kubernetes.io/name', operator: 'In', values: ['catalog', 'pricing-import', 'supplier-search'] },
      ],
    })
  })

  it('provisions the bus with a job of its own user, as compose does', () => {
    const [container] = podOf(find('Job', 'provision'))?.containers ?? []
    expect(container?.command).toEqual(compose.services.provision?.command)
    expect(container?.image).toMatch(/^partsbus\/stock:/)
    expect(container?.env).toContainEqual({ name: 'NATS_USER', value: 'provision' })
    const known = variablesRead('stock')
    expect(container?.env.filter(({ name }) => !isRead(known, name))).toEqual([])
  })

  it('migrates each database before its service starts, as docs/operate/upgrade.md says', () => {
    const jobs = manifests.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === 'migration')
    expect(jobs.map(({ metadata }) => metadata.name).sort()).toEqual(
      withDatabase.map((name) => `migrate-${name}`).sort(),
    )
    for (const service of withDatabase) {
      const [job] = podOf(find('Job', `migrate-${service}`))?.containers ?? []
      const [container] = podOf(find('Deployment', service))?.containers ?? []
      expect(job?.image).toBe(container?.image)
      for (const variable of job?.env ?? []) expect(container?.env).toContainEqual(variable)
      expect(read('docs/operate/upgrade.md')).toContain(job?.command?.join(' '))
    }
  })

  it('backs up every night by a command that exists', () => {
    const [container] = podOf(find('CronJob', 'backup'))?.containers ?? []
    const [, command] = /partsbus (\w+) /.exec(container?.command?.[2] ?? '') ?? []
    expect(read('packages/cli/src/commands.ts')).toContain(`'${command}'`)
    expect(container?.command?.[2]).toContain('--method dump')
    expect(container?.env).toContainEqual({ name: 'PARTSBUS_URL', value: 'http://gateway' })
  })

  it('asks the services every morning what is wrong with them', () => {
    const [container] = podOf(find('CronJob', 'doctor'))?.containers ?? []
    expect(container?.args).toEqual(['doctor'])
    expect(container?.env).toContainEqual({ name: 'NATS_USER', value: 'provision' })
  })

  it.each(['backup', 'doctor'])('runs %s by the image of the command line', (name) => {
    const { version } = JSON.parse(read('package.json')) as { version: string }
    expect(podOf(find('CronJob', name))?.containers[0].image).toBe(`partsbus/cli:${version}`)
  })

  it('lets the backup read the databases', () => {
    expect(find('NetworkPolicy', 'backup')?.spec.egress).toContainEqual({ ports: [{ port: 27017 }] })
  })

  it('runs the bus with the configuration that compose uses', () => {
    const bus = podOf(find('StatefulSet', 'nats'))
    const config = bus?.volumes.find(({ name }) => name === 'config')?.configMap?.name ?? ''
    expect(find('ConfigMap', config)?.data['nats.conf']).toBe(read('deploy/nats/nats.conf'))
    const number = (pattern: RegExp) => Number(pattern.exec(read('deploy/nats/nats.conf'))?.[1])
    const ports = bus?.containers[0].ports ?? []
    expect(ports).toContainEqual({ name: 'client', containerPort: number(/^port: (\d+)$/m) })
    expect(ports).toContainEqual({ name: 'monitor', containerPort: number(/^http_port: (\d+)$/m) })
    expect(find('ConfigMap', 'partsbus')?.data.NATS_URL).toBe('nats://nats:4222')
    const claims = find('StatefulSet', 'nats')?.spec.volumeClaimTemplates
    const [volume] = claims as { spec: { resources: { requests: { storage: string } } } }[]
    expect(parseInt(volume?.spec.resources.requests.storage ?? '')).toBeGreaterThan(number(/max_file_store: (\d+)GB/))
  })
})

describe('deploy/kubernetes', () => {
  it('uses every file of its folders', () => {
    const used = readdirSync(join(root, FOLDER), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('kustomization.yaml'))
      .flatMap((path) => {
        const [file] = readYaml<{ resources?: string[]; components?: string[]; patches?: { path: string }[] }>(
          join(FOLDER, path),
        )
        const { resources = [], patches = [] } = file ?? {}
        const files = [...resources, ...patches.map((patch) => patch.path)].filter((name) => name.endsWith('.yaml'))
        return [path, ...files.map((name) => join(path, '..', name))]
      })
    const manifests = readdirSync(join(root, FOLDER), { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.yaml') && !path.startsWith('rendered'),
    )
    expect(manifests.sort()).toEqual([...used, 'secrets.example.yaml'].sort())
  })

  it('limits the rights of each Secret to what its pod reads', () => {
    const pods = overlays.flatMap((overlay) => open(overlay).manifests.flatMap((manifest) => podOf(manifest) ?? []))
    const mounted = pods.flatMap(({ volumes }) => volumes.flatMap(({ secret }) => secret?.secretName ?? []))
    const variables = pods.flatMap(({ containers }) => containers.flatMap(({ env }) => env))
    const names = [...mounted, ...variables.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? [])]
    expect([...new Set(names)].sort()).toEqual([...exampleSecrets.keys()].sort())
  })
})

describe('the overlay small', () => {
  const { find, named } = open('small')

  it('has one replica of everything and needs nothing that a small cluster has not', () => {
    for (const service of services) expect(find('Deployment', service)?.spec.replicas).toBe(1)
    expect(find('StatefulSet', 'nats')?.spec.replicas).toBe(1)
    expect([...named('HorizontalPodAutoscaler'), ...named('ScaledObject'), ...named('HTTPRoute')]).toEqual([])
  })
})

describe('the overlay production', () => {
  const { find, named } = open('production')
  const scaledBy = (name: string) =>
    find('ScaledObject', name)?.spec as unknown as {
      minReplicaCount: number
      maxReplicaCount: number
      triggers: { type: string; metadata: { query: string; threshold: string } }[]
    }

  it('scales every service, each by one autoscaler, which alone sets the number of replicas', () => {
    expect(named('HorizontalPodAutoscaler')).toEqual(['administration', 'catalog', 'gateway', 'stock'])
    expect(named('ScaledObject')).toEqual(['pricing-import', 'supplier-search'])
    for (const service of services) {
      const { spec } = find('HorizontalPodAutoscaler', service) ?? find('ScaledObject', service) ?? {}
      expect(spec?.scaleTargetRef).toMatchObject({ name: service })
      expect(spec?.minReplicas ?? spec?.minReplicaCount).toBe(2)
      expect(find('Deployment', service)?.spec).not.toHaveProperty('replicas')
    }
  })

  it('scales by metrics that exist, and imports by lists that wait', () => {
    const code = ['packages/platform/src', 'services/pricing-import/src', 'services/supplier-search/src']
      .flatMap(sources)
      .join('\n')
    for (const name of named('ScaledObject'))
      for (const { type, metadata } of scaledBy(name).triggers) {
        expect(type).toBe('prometheus')
        const [, metric = ''] = /^\w+\((\w+)/.exec(metadata.query) ?? []
        expect([metric, code.includes(`'${metric}'`)]).toEqual([metric, true])
      }
    const [trigger] = scaledBy('pricing-import').triggers
    expect(trigger?.metadata.query).toBe('max(price_import_lists_waiting)')
    expect(podOf(find('Deployment', 'pricing-import'))?.containers[0].env).toContainEqual({
      name: 'IMPORT_PARALLEL',
      value: trigger?.metadata.threshold,
    })
  })

  it('runs three nodes of the bus with a copy of each stream on every one', () => {
    const bus = find('StatefulSet', 'nats')
    expect(bus?.spec.replicas).toBe(3)
    expect(bus?.spec.podManagementPolicy).toBe('Parallel')
    const [container] = podOf(bus)?.containers ?? []
    const [flag, file, , routes = ''] = container?.args ?? []
    expect([flag, file]).toEqual(['--config', '/etc/nats/cluster.conf'])
    const nodes = [0, 1, 2].map((at) => `nats://cluster:$(CLUSTER_PASSWORD)@nats-${at}.nats-nodes:6222`)
    expect(routes.split(',')).toEqual(nodes)
    expect(container?.ports).toContainEqual({ name: 'cluster', containerPort: 6222 })
    expect(bus?.spec.serviceName).toBe('nats-nodes')
    expect(find('Service', 'nats-nodes')?.spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true })
    const variables = [...read('deploy/nats/cluster.conf').matchAll(/\$([A-Z_]+)/g)].map(([, name]) => name)
    expect(container?.env.map(({ name }) => name)).toEqual(expect.arrayContaining(variables))
    const [job] = podOf(find('Job', 'provision'))?.containers ?? []
    expect(job?.env).toContainEqual({ name: 'STREAM_REPLICAS', value: '3' })
  })
})
