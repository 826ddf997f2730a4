import { describe, expect, it } from '@jest/globals'
import { read, readYaml, services, sources } from './testing/checkout.js'

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string }
}
const [alerts] = readYaml<{ groups: { rules: Rule[] }[] }>('deploy/observability/alerts.yaml')
const rules = (alerts?.groups ?? []).flatMap((group) => group.rules)
const dashboard = JSON.parse(read('deploy/observability/dashboard.json')) as {
  panels: { id: number; title: string; gridPos: { x: number; y: number }; targets: { expr: string }[] }[]
}
const questions = [
  ...rules.map(({ alert, expr }) => [alert, expr]),
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr])),
]

/** Names our code registers, and labels it gives. */
const code = ['packages/platform/src', ...services.map((service) => `services/${service}/src`)]
  .flatMap(sources)
  .join('\n')
/** Names and labels that Prometheus and the client library add. */
const given = /^(up|process_resident_memory_bytes|nodejs_eventloop_lag_p99_seconds)$/
const givenLabels = new Set(['job', 'instance', 'le', 'service'])

describe('deploy/observability', () => {
  it.each(questions)('%s asks for metrics and labels that exist', (_title = '', expr = '') => {
    const metrics = expr.match(/\b[a-z]+(_[a-z0-9]+)+\b(?=\{|\[|$| )/g) ?? ['up']
    for (const name of metrics.filter((name) => !given.test(name) && !/^histogram_quantile$/.test(name))) {
      expect(code).toContain(`'${name.replace(/_(count|bucket|sum)$/, '')}'`)
    }
    const labels = [...expr.matchAll(/by \(([^)]+)\)/g)]
      .flatMap(([, list = '']) => list.split(', '))
      .concat([...expr.matchAll(/[{,]\s*(\w+)[=!]/g)].map(([, label = '']) => label))
    for (const label of labels.filter((label) => !givenLabels.has(label))) expect(code).toContain(label)
  })

  it('says of each alert how bad it is and what it means', () => {
    for (const rule of rules) {
      expect(rule.labels.severity).toMatch(/^(critical|warning)$/)
      expect(rule.annotations.summary.length).toBeGreaterThan(20)
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  })

  it('scrapes every service on its management port, and loads the alerts', () => {
    const [prometheus] = readYaml<{
      rule_files: string[]
      scrape_configs: { job_name: string; dns_sd_configs: object[] }[]
    }>('deploy/observability/prometheus.yaml')
    expect(prometheus?.rule_files).toEqual(['alerts.yaml'])
    expect(prometheus?.scrape_configs[0]).toMatchObject({
      job_name: 'partsbus',
      dns_sd_configs: [{ names: services, port: 9090 }],
    })
  })

  it('gives each panel a place and a number of its own', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
    expect(new Set(dashboard.panels.map(({ gridPos }) => `${gridPos.x} ${gridPos.y}`)).size).toBe(
      dashboard.panels.length,
    )
  })
})
