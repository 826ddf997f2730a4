// @ts-check
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../prepare.mjs'

/** Files and folders that have the same place in the bundle as in a checkout. */
const SAME_PLACE = [
  'docker-compose.ferretdb.yml',
  'deploy/secrets.sh',
  'deploy/backup',
  'deploy/edge',
  'deploy/mongo',
  'deploy/nats',
  'deploy/observability',
  'deploy/postgres',
  'docs',
  'CHANGELOG.md',
  'LICENSE',
  'NOTICE',
]

const DOCUMENTS = 'packages/openapi/dist/documents'
/** Stands for the address of an installation in the built documents. */
const BASE_URL = 'https://base-url.invalid'

/** As it is written once, in the root manifest. */
export const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version

/**
 * Writes everything that an installation needs besides the images into an empty folder: the files of Compose, which
 * name the images of this version, the rendered manifests of Kubernetes, and the OpenAPI document of each audience.
 * @param {string} target
 * @param {string} registry where the images are, like `registry.example.org/partsbus`
 */
export function makeBundle(target, registry) {
  rmSync(target, { recursive: true, force: true })
  /** @param {string} path @param {string} text */
  const write = (path, text) => {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    writeFileSync(join(target, path), text)
  }
  for (const path of SAME_PLACE) cpSync(join(root, path), join(target, path), { recursive: true, filter: isShipped })

  for (const path of ['docker-compose.yml', '.env.example']) write(path, nameImages(read(path), registry))
  write('deploy/pin-images.sh', read('deploy/pin-images.sh'))
  write('README.md', read('deploy/bundle/README.md'))

  for (const name of readdirSync(join(root, 'deploy/kubernetes/rendered')))
    write(`kubernetes/${name}`, nameKubernetesImages(read(`deploy/kubernetes/rendered/${name}`), registry))
  for (const name of readdirSync(join(root, 'deploy/kubernetes')).filter((each) => each.startsWith('secrets.')))
    write(`kubernetes/${name}`, read(`deploy/kubernetes/${name}`))
  write('kubernetes/nats-chart-values.yaml', read('deploy/kubernetes/samples/nats-chart/values.yaml'))

  const documents = join(root, DOCUMENTS)
  if (!existsSync(documents)) throw new Error(`${DOCUMENTS} is missing. Build it: node scripts/prepare.mjs`)
  for (const name of readdirSync(documents)) {
    const document = JSON.parse(read(`${DOCUMENTS}/${name}`).replaceAll(BASE_URL, 'http://localhost:8080'))
    write(`openapi/${name}`, `${JSON.stringify(document, undefined, 2)}\n`)
  }
}

/** @param {string} path */
const read = (path) => readFileSync(join(root, path), 'utf8')

/** Specs, tests of the alerts and secrets stay in the checkout. @param {string} path */
const isShipped = (path) => !/\.(spec\.ts|test\.yaml)$/.test(path) && !path.endsWith('kustomization.yaml')

/** The defaults of a checkout become those of the release. @param {string} text @param {string} registry */
function nameImages(text, registry) {
  return text
    .replaceAll('${PARTSBUS_REGISTRY:-localhost/partsbus}', `\${PARTSBUS_REGISTRY:-${registry}}`)
    .replaceAll('${PARTSBUS_VERSION:-local}', `\${PARTSBUS_VERSION:-${version}}`)
    .replace(/^PARTSBUS_REGISTRY=.*$/m, `PARTSBUS_REGISTRY=${registry}`)
    .replace(/^PARTSBUS_VERSION=.*$/m, `PARTSBUS_VERSION=${version}`)
}

/** @param {string} text @param {string} registry */
function nameKubernetesImages(text, registry) {
  return text.replace(/(\bimage: )partsbus\/([a-z-]+):\S+/g, `$1${registry}/$2:${version}`)
}
