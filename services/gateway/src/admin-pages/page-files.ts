import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join, relative, sep } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { contentTag, type StaticFile } from '../http/static-file.js'

/** The built pages. */
export interface PageFiles {
  /** the parameter `v` of the start script */
  version: string
  index: StaticFile
  /** path below `/admin/` → file */
  files: ReadonlyMap<string, StaticFile>
}

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}
const INDEX = 'index.html'
const VERSION = 'version.txt'

/** Where `npm start`, the tests and the image leave the build of `@partsbus/admin`. */
export function builtPagesFolder(): string {
  const require = createRequire(import.meta.url)
  return join(dirname(require.resolve('@partsbus/admin/package.json')), 'dist')
}

/**
 * Reads the build once; undefined where there is none.
 * @param prefix the path of PUBLIC_URL, before `/admin`; empty at the root of a host
 */
export function readPageFiles(folder: string, prefix: string): PageFiles | undefined {
  const index = join(folder, INDEX)
  if (!existsSync(index)) return undefined
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in TYPES && entry.name !== VERSION)
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  return {
    version: readFileSync(join(folder, VERSION), 'utf8').trim(),
    index: readIndex(folder, prefix),
    files: new Map(names.map((name) => [name.split(sep).join('/'), readFile(folder, name)])),
  }
}

function readFile(folder: string, name: string): StaticFile {
  const raw = readFileSync(join(folder, name))
  return {
    type: TYPES[extname(name)] ?? '',
    etag: contentTag(raw),
    raw,
    gzip: readIfThere(join(folder, `${name}.gz`)),
    brotli: readIfThere(join(folder, `${name}.br`)),
  }
}

/** Its addresses begin with `/admin/`; behind a path they begin with that path. */
function readIndex(folder: string, prefix: string): StaticFile {
  const text = readFileSync(join(folder, INDEX), 'utf8').replaceAll('="/admin/', `="${prefix}/admin/`)
  const raw = Buffer.from(text)
  return {
    type: 'text/html; charset=utf-8',
    etag: contentTag(raw),
    raw,
    gzip: gzipSync(raw),
    brotli: brotliCompressSync(raw),
  }
}

const readIfThere = (path: string): Buffer | undefined => (existsSync(path) ? readFileSync(path) : undefined)
