// @ts-check
/**
 * Writes kubernetes-schemas.json: the published schemas of the kinds that deploy/kubernetes uses, without descriptions,
 * and strict, so that a misspelled field is an error. They come from Go modules; it needs Go and the network:
 *   node deploy/testing/extract-schemas.mjs
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** The oldest version that the manifests are for: newer ones remove no field of a stable kind. */
const KUBERNETES = 'k8s.io/kubernetes@v1.31.14'
const GROUPS = {
  api__v1: ['Namespace', 'ServiceAccount', 'ConfigMap', 'Service', 'Secret', 'PersistentVolumeClaim'],
  apis__apps__v1: ['Deployment', 'StatefulSet'],
  apis__batch__v1: ['Job', 'CronJob'],
  apis__policy__v1: ['PodDisruptionBudget'],
  apis__autoscaling__v2: ['HorizontalPodAutoscaler'],
  'apis__networking.k8s.io__v1': ['Ingress', 'NetworkPolicy'],
}
/** Definitions of other publishers: module, file, version. */
const CUSTOM = [
  ['github.com/kedacore/keda/v2@v2.17.0', 'config/crd/bases/keda.sh_scaledobjects.yaml', 'v1alpha1'],
  ['sigs.k8s.io/gateway-api@v1.2.1', 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml', 'v1'],
  ...['podmonitors', 'prometheusrules'].map((names) => [
    'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    `example/prometheus-operator-crd/monitoring.coreos.com_${names}.yaml`,
    'v1',
  ]),
  [
    'github.com/mongodb/mongodb-kubernetes-operator@v0.13.0',
    'config/crd/bases/mongodbcommunity.mongodb.com_mongodbcommunity.yaml',
    'v1',
  ],
]
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

/** @type {Record<string, string>} */
const kinds = {}
/** @type {Record<string, object>} */
const definitions = {}

const kubernetes = download(KUBERNETES)
for (const [group, names] of Object.entries(GROUPS)) {
  const file = join(kubernetes, 'api/openapi-spec/v3', `${group}_openapi.json`)
  const { schemas } = JSON.parse(readFileSync(file, 'utf8')).components
  for (const [name, schema] of Object.entries(schemas)) {
    const [id] = schema['x-kubernetes-group-version-kind'] ?? []
    if (!id || !names.includes(id.kind) || !name.endsWith(`.${id.kind}`)) continue
    kinds[[id.group, id.version].filter(Boolean).join('/') + ` ${id.kind}`] = name
    collect(name, schemas)
  }
}
for (const [module = '', file = '', version = ''] of CUSTOM) {
  const { spec } = parse(readFileSync(join(download(module), file), 'utf8'))
  const { schema } = spec.versions.find((/** @type {{ name: string }} */ { name }) => name === version)
  const name = `${spec.group}.${version}.${spec.names.kind}`
  kinds[`${spec.group}/${version} ${spec.names.kind}`] = name
  const strict = /** @type {{ properties: Record<string, object> }} */ (tighten(schema.openAPIV3Schema))
  strict.properties.metadata = { $ref: `#/definitions/${META}` }
  definitions[name] = strict
}

const lines = Object.entries(definitions)
  .sort(([left], [right]) => (left < right ? -1 : 1))
  .map(([name, schema]) => `    ${JSON.stringify(name)}: ${JSON.stringify(schema)}`)
const source = [...new Set([KUBERNETES, ...CUSTOM.map(([module]) => module)])].join(', ')
writeFileSync(
  join(import.meta.dirname, 'kubernetes-schemas.json'),
  [
    '{',
    `  "$comment": "Apache-2.0, from ${source}; written by extract-schemas.mjs",`,
    `  "kinds": ${JSON.stringify(kinds)},`,
    '  "definitions": {',
    lines.join(',\n'),
    '  }',
    '}',
    '',
  ].join('\n'),
)

/** The folder of a Go module. @param {string} module */
function download(module) {
  const { status, stdout, stderr } = spawnSync('go', ['mod', 'download', '-json', module], {
    encoding: 'utf8',
    env: { ...process.env, GO111MODULE: 'on' },
  })
  if (status !== 0) throw new Error(stderr || stdout)
  return JSON.parse(stdout).Dir
}

/** A schema and all that it refers to. @param {string} name @param {Record<string, any>} schemas */
function collect(name, schemas) {
  if (name in definitions) return
  definitions[name] = {}
  definitions[name] = tighten(schemas[name])
  for (const [, other = ''] of JSON.stringify(definitions[name]).matchAll(/#\/definitions\/([\w.-]+)/g))
    collect(other, schemas)
}

/** Without what does not decide whether a manifest is valid. @param {any} schema @returns {any} */
function tighten(schema) {
  if (Array.isArray(schema)) return schema.map(tighten)
  if (typeof schema !== 'object' || schema === null) return schema
  if (schema.$ref) return { $ref: schema.$ref.replace('#/components/schemas/', '#/definitions/') }
  // a reference with a description or a default of its own
  if (schema.allOf?.length === 1 && schema.allOf[0].$ref) return tighten(schema.allOf[0])
  if (schema['x-kubernetes-int-or-string']) return { type: ['integer', 'string'] }
  const { properties, items, additionalProperties, type, required, pattern } = schema
  const bounds = Object.fromEntries(
    ['enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'oneOf', 'anyOf']
      .filter((key) => schema[key] !== undefined)
      .map((key) => [key, ['oneOf', 'anyOf'].includes(key) ? tighten(schema[key]) : schema[key]]),
  )
  return {
    ...(type && { type }),
    ...(required && { required }),
    // Go's flags inside of an expression are not those of JavaScript
    ...(pattern && !pattern.includes('(?i)') && { pattern }),
    ...bounds,
    ...(items && { items: tighten(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, tighten(value)])),
    }),
    ...(additionalProperties
      ? { additionalProperties: tighten(additionalProperties) }
      : properties && !schema['x-kubernetes-preserve-unknown-fields'] && { additionalProperties: false }),
  }
}
