import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { makeBundle, version } from './bundle/make-bundle.mjs'
import { tryBundle } from './bundle/try-bundle.mjs'

const registry = 'registry.example.org/shop/partsbus'
const folder = mkdtempSync(join(tmpdir(), 'partsbus-bundle-spec-'))
const bundle = join(folder, 'partsbus')
const read = (path: string) => readFileSync(join(bundle, path), 'utf8')

/** Packs the bundle as it is now, and tries it. */
function tryPacked(name: string) {
  const [archive, target] = [join(folder, `${name}.tar.gz`), join(folder, name)]
  execFileSync('tar', ['-czf', archive, '-C', folder, 'partsbus'])
  execFileSync('mkdir', [target])
  return tryBundle(archive, target)
}

describe('the bundle', () => {
  beforeAll(() => makeBundle(bundle, registry))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('names the images of its version and their registry', () => {
    const images = [...read('docker-compose.yml').matchAll(/image: (\$\{PARTSBUS_REGISTRY.*)/g)].map(
      ([, image]) => image,
    )
    expect(images.length).toBeGreaterThan(7)
    const end = `:\${PARTSBUS_VERSION:-${version}}`
    for (const image of images) {
      expect(image?.startsWith(`\${PARTSBUS_REGISTRY:-${registry}}/`)).toBe(true)
      expect(image?.endsWith(end)).toBe(true)
    }
    expect(read('.env.example')).toContain(`PARTSBUS_REGISTRY=${registry}\nPARTSBUS_VERSION=${version}\n`)
    for (const name of ['small', 'production'])
      expect(read(`kubernetes/${name}.yaml`)).toContain(`image: ${registry}/gateway:${version}\n`)
  })

  it('works in an empty folder', () => {
    expect(tryPacked('whole').problems).toEqual([])
    expect(existsSync(join(folder, 'whole/deploy/secrets/admin_token'))).toBe(true)
  })

  it('has neither secrets nor tests of the checkout', () => {
    const files = readdirSync(bundle, { recursive: true, encoding: 'utf8' })
    expect(files.filter((path) => /secrets\/|\.spec\.|\.test\.|\.env$/.test(path))).toEqual([])
    expect(files.some((path) => path.endsWith('alerts.yaml'))).toBe(true)
  })

  it('is not accepted when a mounted file or an OpenAPI document is missing', () => {
    rmSync(join(bundle, 'deploy/edge'), { recursive: true })
    rmSync(join(bundle, 'openapi/partners.json'))
    expect(tryPacked('damaged').problems).toEqual([
      'docker-compose.yml mounts ./deploy/edge, which is missing',
      'openapi/partners.json has no paths',
    ])
  })
})
