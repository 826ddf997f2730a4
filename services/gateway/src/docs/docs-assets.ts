import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { contentTag, type StaticFile } from '../http/static-file.js'

const require = createRequire(import.meta.url)
const packageFolder = dirname(require.resolve('swagger-ui-dist/package.json'))

const SCRIPT = 'text/javascript; charset=utf-8'

/** Configures Swagger UI. A file of its own, because the page's policy allows no inline script. */
const START = `SwaggerUIBundle({
  dom_id: '#docs',
  url: new URL('json', document.currentScript.src).href,
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  persistAuthorization: false,
  requestSnippetsEnabled: true,
  tryItOutEnabled: true,
  // the default sends the document's address to a validator on the internet
  validatorUrl: null,
})
`

/** File name under `/docs` → media type and content. */
const assets = {
  'swagger-ui-bundle.js': { type: SCRIPT, read: () => readPackageFile('swagger-ui-bundle.js') },
  'swagger-ui.css': { type: 'text/css; charset=utf-8', read: () => readPackageFile('swagger-ui.css') },
  'favicon-32x32.png': { type: 'image/png', read: () => readPackageFile('favicon-32x32.png') },
  'start.js': { type: SCRIPT, read: async () => Buffer.from(START) },
}

export type AssetName = keyof typeof assets
export const ASSET_NAMES = Object.keys(assets) as AssetName[]

const loading = new Map<AssetName, Promise<StaticFile>>()

/** Reads and compresses a file once per process, at the first request for it. */
export function loadAsset(name: AssetName): Promise<StaticFile> {
  let asset = loading.get(name)
  if (!asset) {
    asset = prepareAsset(name)
    asset.catch(() => loading.delete(name))
    loading.set(name, asset)
  }
  return asset
}

async function prepareAsset(name: AssetName): Promise<StaticFile> {
  const { type, read } = assets[name]
  const raw = await read()
  return { type, etag: contentTag(raw), raw, gzip: await promisify(gzip)(raw) }
}

function readPackageFile(name: string): Promise<Buffer> {
  return readFile(join(packageFolder, name))
}
