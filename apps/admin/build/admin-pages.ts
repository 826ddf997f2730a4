/**
 * Writes what the bundler does not: `index.html`, the script `app.js` that starts the pages, and each file compressed.
 * The names of both are the same in every build, so they carry the version as `?v=`: a gateway of another version
 * answers with its own, which starts its own chunks.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const BASE = '/admin/'
const folder = import.meta.dirname
const source = (name: string) => readFileSync(join(folder, name), 'utf8')

/** The values that the templates refer to. */
interface Names {
  version: string
  main: string
  styles: string
}

export function adminPages(): Plugin[] {
  return [
    {
      name: 'admin-pages-build',
      apply: 'build',
      enforce: 'post',
      generateBundle(_options, bundle) {
        const files = Object.values(bundle)
        const main = files.find((file) => file.type === 'chunk' && file.isEntry)?.fileName
        const styles = files.find((file) => file.fileName.endsWith('.css'))?.fileName
        if (main === undefined || styles === undefined) throw new Error('the build has no entry or no style sheet')
        const version = createHash('sha256')
          .update(files.map(({ fileName }) => fileName).join())
          .digest('hex')
          .slice(0, 12)
        const names = { version, main: BASE + main, styles: BASE + styles }
        this.emitFile({ type: 'asset', fileName: 'app.js', source: entry(names) })
        this.emitFile({ type: 'asset', fileName: 'index.html', source: page(names) })
        this.emitFile({ type: 'asset', fileName: 'version.txt', source: version })
      },
    },
    {
      name: 'admin-pages-compress',
      apply: 'build',
      enforce: 'post',
      generateBundle: {
        order: 'post',
        handler(_options, bundle) {
          for (const file of Object.values(bundle)) {
            const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source)
            if (!/\.(js|css|html|svg)$/.test(file.fileName)) continue
            this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipSync(bytes, { level: 9 }) })
            this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotli(bytes) })
          }
        },
      },
    },
    {
      name: 'admin-pages-serve',
      apply: 'serve',
      configureServer(server) {
        const names = { version: 'dev', main: `${BASE}src/main.tsx`, styles: '' }
        server.middlewares.use((request, response, next) => {
          const path = request.url?.split('?')[0]
          if (path !== `${BASE}app.js`) return next()
          response.setHeader('content-type', 'text/javascript')
          response.end(entry(names))
        })
        return () => {
          server.middlewares.use((request, response, next) => {
            server
              .transformIndexHtml(request.url ?? BASE, page(names).replace(/^.*rel="stylesheet".*\n/m, ''))
              .then((html) => {
                response.setHeader('content-type', 'text/html')
                response.end(html)
              })
              .catch(next)
          })
        }
      },
    },
  ]
}

const entry = (names: Names) => fill(source('app.js').replace(/^\s*(\/\*\*.*\*\/|\/\/.*)\n/gm, ''), names)
const page = (names: Names) => fill(source('index.html'), names)

const fill = (template: string, names: Names) =>
  template.replaceAll('%VERSION%', names.version).replaceAll('%MAIN%', names.main).replaceAll('%STYLES%', names.styles)

const brotli = (bytes: Buffer) =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
