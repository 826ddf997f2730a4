import { describe, expect, it } from '@jest/globals'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isRead, read, readYaml, root, services, variablesRead } from './testing/checkout.js'
import { compose } from './testing/compose-file.js'

interface Pod {
  terminationGracePeriodSeconds: number
  topologySpreadConstraints: { topologyKey: string }[]
  securityContext: { runAsNonRoot: boolean }
  containers: [
    {
      name: string
      image: string
      env: { name: string; value: string }[]
      envFrom: { configMapRef: { name: string } }[]
      ports: { name: string; containerPort: number }[]
      resources: { requests: object; limits: object }
      volumeMounts: { name: string; mountPath: string }[]
    } & Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', { httpGet: { path: string; port: string } }>,
  ]
  volumes: { name: string; secret?: { secretName: string } }[]
}
interface Thing {
  kind: string
  metadata: { name: string }
  data: Record<string, string>
  stringData: Record<string, string>
  spec: {
    replicas?: number
    minReplicas: number
    ingress?: object[]
    selector: { matchLabels: Record<string, string> }
    scaleTargetRef: { name: string }
    template: { metadata: { labels: Record<string, string> }; spec: Pod }
  }
}
const folder = 'deploy/kubernetes'
const [kustomization] = readYaml<{
  resources: string[]
  patches: { path: string; target: object }[]
  images: { name: string; newTag: string }[]
}>(`${folder}/kustomization.yaml`)
const things = (kustomization?.resources ?? []).flatMap((path) => readYaml<Thing>(`${folder}/${path}`))
const [everywhere] = readYaml<Thing>(`${folder}/every-deployment.yaml`).map((patch) => patch.spec.template.spec)
const find = (kind: string, name: string) => things.find((thing) => thing.kind === kind && thing.metadata.name === name)
const named = (kind: string) =>
  things
    .filter((thing) => thing.kind === kind)
    .map((thing) => thing.metadata.name)
    .sort()
const podOf = (service: string) => find('Deployment', service)?.spec.template.spec as Pod

describe('deploy/kubernetes', () => {
  it('uses every file of the folder', () => {
    const used = [
      ...(kustomization?.resources ?? []),
      ...(kustomization?.patches ?? []).map(({ path }) => path),
      'kustomization.yaml',
      'secrets.example.yaml',
    ]
    expect(readdirSync(join(root, folder)).sort()).toEqual(used.sort())
  })

  it('deploys the five services and exposes only the gateway', () => {
    expect(named('Deployment')).toEqual([...services].sort())
    expect(kustomization?.images.map(({ name }) => name)).toEqual(services.map((service) => `partsbus/${service}`))
    expect(named('Service')).toEqual(['gateway'])
    expect(named('Ingress')).toEqual(['gateway'])
  })

  it('limits disruptions to one pod per service, and scales the services that answer partners and the ERP', () => {
    expect(named('PodDisruptionBudget')).toEqual([...services].sort())
    expect(named('HorizontalPodAutoscaler')).toEqual(['catalog', 'gateway', 'stock', 'supplier-search'])
    for (const service of services) {
      const scaled = find('HorizontalPodAutoscaler', service)
      expect(find('PodDisruptionBudget', service)?.spec.selector.matchLabels).toEqual({
        'app.kubernetes.io/name': service,
      })
      // a fixed number would undo the decision of the autoscaler at every apply
      expect(find('Deployment', service)?.spec.replicas).toBe(scaled ? undefined : 2)
      if (scaled)
        expect(scaled.spec).toMatchObject({ minReplicas: 2, scaleTargetRef: { kind: 'Deployment', name: service } })
    }
  })

  it('applies probes, a grace period and spreading to every deployment', () => {
    const [container] = everywhere?.containers ?? []
    expect(kustomization?.patches).toEqual([{ path: 'every-deployment.yaml', target: { kind: 'Deployment' } }])
    expect(everywhere?.terminationGracePeriodSeconds).toBe(30)
    expect(everywhere?.topologySpreadConstraints.map(({ topologyKey }) => topologyKey)).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ])
    expect(everywhere?.securityContext.runAsNonRoot).toBe(true)
    expect(container?.ports).toEqual([
      { name: 'management', containerPort: Number(find('ConfigMap', 'partsbus')?.data.MANAGEMENT_PORT) },
    ])
    expect(container?.livenessProbe.httpGet).toEqual({ path: '/livez', port: 'management' })
    expect(container?.startupProbe.httpGet).toEqual({ path: '/livez', port: 'management' })
    expect(container?.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'management' })
    expect(container?.envFrom).toEqual([{ configMapRef: { name: 'partsbus' } }])
  })

  it.each(services)(
    '%s has the patched container, its image, resources, and labels that match its selector',
    (service) => {
      const [container] = podOf(service).containers
      expect(container.name).toBe(everywhere?.containers[0].name)
      expect(container.image).toBe(`partsbus/${service}`)
      expect(container.resources).toEqual({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String), 'ephemeral-storage': expect.any(String) },
      })
      const spec = find('Deployment', service)?.spec
      expect(spec?.template.metadata.labels).toEqual(spec?.selector.matchLabels)
    },
  )

  it.each(services)('%s reads every variable of its own, and some service reads each shared one', (service) => {
    const known = variablesRead(service)
    expect(
      podOf(service)
        .containers[0].env.map(({ name }) => name)
        .filter((name) => !isRead(known, name)),
    ).toEqual([])
    const anywhere = new Set(services.flatMap((name) => [...variablesRead(name)]))
    expect(Object.keys(find('ConfigMap', 'partsbus')?.data ?? {}).filter((name) => !isRead(anywhere, name))).toEqual([])
  })

  it.each(services)('%s reads each secret from a file of its own Secret', (service) => {
    const {
      containers: [container],
      volumes,
    } = podOf(service)
    const [secret] = readYaml<Thing>(`${folder}/secrets.example.yaml`).filter(
      (thing) => thing.metadata.name === `partsbus-${service}`,
    )
    expect(volumes).toContainEqual({ name: 'secrets', secret: { secretName: secret?.metadata.name } })
    expect(everywhere?.containers[0].volumeMounts).toContainEqual({
      name: 'secrets',
      mountPath: '/run/secrets',
      readOnly: true,
    })
    const files = container.env.filter(({ name }) => name.endsWith('_FILE')).map(({ value }) => value)
    expect(files.sort()).toEqual(
      Object.keys(secret?.stringData ?? {})
        .map((key) => `/run/secrets/${key}`)
        .sort(),
    )
  })

  it('trusts no proxy until one is configured', () => {
    expect(find('ConfigMap', 'partsbus')?.data.TRUSTED_PROXIES).toBe('')
  })

  it('accepts connections to the HTTP port of the gateway, and to management ports from the monitoring only', () => {
    expect(named('NetworkPolicy')).toEqual(['gateway-http', 'partsbus-deny', 'partsbus-metrics'])
    const rules = (name: string): unknown => find('NetworkPolicy', name)?.spec.ingress
    expect(rules('partsbus-deny')).toBeUndefined()
    expect(rules('gateway-http')).toEqual([{ ports: [{ port: 'http' }] }])
    expect(rules('partsbus-metrics')).toMatchObject([{ from: [{}], ports: [{ port: 'management' }] }])
  })

  it('provisions the bus with a job of its own user, as compose does', () => {
    const job = find('Job', 'provision')?.spec.template.spec
    const [container] = job?.containers ?? []
    expect(container).toMatchObject({ command: compose.services.provision?.command, image: 'partsbus/stock' })
    expect(container?.env).toContainEqual({ name: 'NATS_USER', value: 'provision' })
    expect(job?.volumes).toEqual([{ name: 'secrets', secret: { secretName: 'partsbus-provision' } }])
    expect(job?.securityContext.runAsNonRoot).toBe(true)
  })

  it('deploys the version of the root package', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string }
    expect(kustomization?.images.map(({ newTag }) => newTag)).toEqual(services.map(() => version))
  })
})
