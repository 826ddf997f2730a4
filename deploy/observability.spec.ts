import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { adminPaths } from '@partsbus/contracts/http/admin'
import { read, readYaml, root, services, sources } from './testing/checkout.js'

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; runbook_url: string }
}
interface Recording {
  record: string
  expr: string
}
const [file] = readYaml<{ groups: { rules: (Rule | Recording)[] }[] }>('deploy/observability/alerts.yaml')
const allRules = (file?.groups ?? []).flatMap((group) => group.rules)
const rules = allRules.filter((rule): rule is Rule => 'alert' in rule)
const recordings = allRules.filter((rule): rule is Recording => 'record' in rule)
const dashboard = JSON.parse(read('deploy/observability/dashboard.json')) as {
  panels: { id: number; title: string; gridPos: { x: number; y: number }; targets?: { expr: string }[] }[]
}
const questions = [
  ...rules.map(({ alert, expr }) => [alert, expr]),
  ...recordings.map(({ record, expr }) => [record, expr]),
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr])),
]

/** Names our code registers, and labels it gives. */
const code = ['packages/platform/src', ...services.map((service) => `services/${service}/src`)]
  .flatMap(sources)
  .join('\n')
/** Those of the exporters of NATS and MongoDB that alerts ask for, with their labels. */
const EXPORTED: Record<string, string[]> = {
  jetstream_server_total_message_bytes: ['server_name'],
  jetstream_server_max_storage: ['server_name'],
  jetstream_stream_total_bytes: ['stream_name'],
  jetstream_stream_limit_bytes: ['stream_name'],
  jetstream_stream_first_seq: ['stream_name'],
  jetstream_stream_last_seq: ['stream_name'],
  mongodb_rs_members_health: ['rs_nm', 'member_idx'],
  mongodb_rs_members_optimeDate: ['rs_nm', 'member_idx', 'member_state'],
}
/** Names and labels that Prometheus and the client library add. */
const given = /^(up|process_resident_memory_bytes|process_cpu_seconds_total|nodejs_eventloop_lag_p99_seconds)$/
const givenLabels = new Set(['job', 'instance', 'le', 'service', 'api'])

describe('deploy/observability', () => {
  it.each(questions)('%s asks for metrics and labels that exist', (_title = '', expr = '') => {
    const bare = expr
      .replace(/"[^"]*"/g, '""')
      .replace(/\b\w+(:\w+)+/g, (name) => (recordings.some(({ record }) => record === name) ? '' : name))
    const names =
      bare.replace(/\{[^}]*\}|(?:by|on|group_right) \([^)]*\)/g, '').match(/\b[a-z]+(_[a-zA-Z0-9]+)+\b(?!\()/g) ?? []
    const labels = [...bare.matchAll(/by \(([^)]+)\)/g)]
      .flatMap(([, list = '']) => list.split(', '))
      .concat([...bare.matchAll(/[{,]\s*(\w+)[=!]/g)].map(([, label = '']) => label))
    const exported = names.flatMap((name) => EXPORTED[name] ?? [])
    const missing = [
      ...names.filter(
        (name) =>
          !(name in EXPORTED) && !given.test(name) && !code.includes(`'${name.replace(/_(count|bucket|sum)$/, '')}'`),
      ),
      ...labels.filter((label) => !givenLabels.has(label) && !exported.includes(label) && !code.includes(label)),
    ]
    expect(missing).toEqual([])
  })

  it('says of each alert how bad it is and what it means', () => {
    for (const rule of rules) {
      expect(rule.labels.severity).toMatch(/^(critical|warning|none)$/)
      expect(rule.annotations.summary.length).toBeGreaterThan(20)
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  })

  it('has a runbook for each alert, and lists it', () => {
    const index = read('docs/operate/runbooks/README.md')
    for (const { alert, labels, annotations } of rules) {
      const runbook = annotations.runbook_url
      expect([runbook, existsSync(join(root, runbook))]).toEqual([runbook, true])
      expect(read(runbook)).toContain(`\`${alert}\``)
      expect(index).toMatch(
        new RegExp(`\\| \`${alert}\` \\| ${labels.severity} \\| \\[[^\\]]+\\]\\(${runbook.split('/').pop()}\\) \\|`),
      )
    }
    const used = new Set(rules.map(({ annotations }) => annotations.runbook_url.split('/').pop()))
    const pages = readdirSync(join(root, 'docs/operate/runbooks')).filter((name) => name !== 'README.md')
    expect(pages.filter((name) => !used.has(name))).toEqual([])
  })

  it('shows calls of the API that exist in the runbooks', () => {
    const known = new Set<string>(adminPaths)
    const pages = readdirSync(join(root, 'docs/operate/runbooks')).map((name) => read(`docs/operate/runbooks/${name}`))
    const calls = pages.flatMap((page) => [
      ...page.matchAll(/curl -s?\s?(?:-X )?(POST)? ?"?\$PARTSBUS_URL\/api\/admin(\/[a-z0-9/-]+)/gi),
      ...page.matchAll(/`(POST) \/api\/admin(\/[A-Za-z/-]+)`/g),
    ])
    expect(calls.length).toBeGreaterThan(10)
    for (const [, method = 'GET', path = ''] of calls)
      expect([...known]).toContain(`${method} ${path.replaceAll('/ID', '/:id')}`)
  })

  it('scrapes every service on its management port, and loads the alerts', () => {
    const [prometheus] = readYaml<{
      rule_files: string[]
      alerting: { alertmanagers: object[] }
      scrape_configs: object[]
    }>('deploy/observability/prometheus.yaml')
    expect(prometheus?.rule_files).toEqual(['alerts.yaml'])
    expect(prometheus?.scrape_configs).toMatchObject([
      { job_name: 'partsbus', dns_sd_configs: [{ names: services, port: 9090 }] },
      { job_name: 'nats', static_configs: [{ targets: ['nats-exporter:7777'] }] },
      { job_name: 'mongodb', dns_sd_configs: [{ names: ['mongodb-exporter'], port: 9216 }] },
    ])
    expect(prometheus?.alerting.alertmanagers).toEqual([{ static_configs: [{ targets: ['alertmanager:9093'] }] }])
  })

  it('gives each panel a place and a number of its own', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
    expect(new Set(dashboard.panels.map(({ gridPos }) => `${gridPos.x} ${gridPos.y}`)).size).toBe(
      dashboard.panels.length,
    )
  })
})
