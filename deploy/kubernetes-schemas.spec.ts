import { describe, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Ajv } from 'ajv'
import { findProgram } from '@partsbus/local-stack/find-program'
import { parseAllDocuments } from 'yaml'
import { readYaml, root } from './testing/checkout.js'
import { type Manifest, renderedFolders, renderedManifests, schemas } from './testing/manifests.js'

const ajv = new Ajv({ strict: false, allErrors: true })
ajv.addSchema({ $id: 'kubernetes', definitions: schemas.definitions })
const keyOf = ({ apiVersion, kind }: Manifest) => `${apiVersion} ${kind}`

/** What the published schema of its kind says against a manifest. */
function complaints(manifest: Manifest): string[] {
  const name = schemas.kinds[keyOf(manifest)]
  if (name === undefined) return [`no schema of ${keyOf(manifest)}: node deploy/testing/extract-schemas.mjs`]
  const validate = ajv.getSchema(`kubernetes#/definitions/${name}`)
  if (!validate) throw new Error(`the schema ${name} is missing`)
  if (validate(manifest)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

describe.each(renderedFolders)('the manifests of %s', (folder) => {
  const rendered = renderedManifests(basename(folder))
  const manifests = rendered.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const)

  it.each(manifests)('%s is valid by its published schema', (_name, manifest) => {
    expect(complaints(manifest)).toEqual([])
  })

  const name = findProgram('kustomize') === undefined ? 'kubectl' : 'kustomize'
  const render = (): Manifest[] => {
    const args = name === 'kubectl' ? ['kustomize'] : ['build']
    const { status, stdout, stderr } = spawnSync(name, [...args, join(root, 'deploy/kubernetes', folder)], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stderr)
    return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest)
  }
  const hasProgram = findProgram(name) !== undefined
  const reason = hasProgram ? '' : ' (skipped: neither kustomize nor kubectl is on PATH)'
  ;(hasProgram ? it : it.skip)(`are what deploy/kubernetes/render.sh writes${reason}`, () => {
    const key = (manifest: Manifest) => `${keyOf(manifest)} ${manifest.metadata.name}`
    // versions of kustomize break folded lines elsewhere
    const unfolded = (manifest: Manifest) => JSON.parse(JSON.stringify(manifest).replace(/(\\n| )+/g, ' ')) as unknown
    const byKey = (all: Manifest[]) => Object.fromEntries(all.map((manifest) => [key(manifest), unfolded(manifest)]))
    expect(byKey(rendered)).toEqual(byKey(render()))
  })
})

it('renders nothing else', () => {
  const written = readdirSync(join(root, 'deploy/kubernetes/rendered'))
  expect(written.sort()).toEqual(renderedFolders.map((folder) => `${basename(folder)}.yaml`).sort())
})

describe('the schemas', () => {
  it('hold the example of Secrets, too', () => {
    for (const secret of readYaml<Manifest>('deploy/kubernetes/secrets.example.yaml'))
      expect(complaints(secret)).toEqual([])
  })

  it.each([
    ['a misspelled field', { spec: { maxUnavailabel: 1 } }],
    ['a value of another type', { spec: { selector: { matchLabels: { name: 1 } } } }],
  ])('find %s', (_what, change) => {
    const budget = renderedManifests('small').find(({ kind }) => kind === 'PodDisruptionBudget') as Manifest
    expect(complaints({ ...budget, ...change } as unknown as Manifest)).not.toEqual([])
  })
})
