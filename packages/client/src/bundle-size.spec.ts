import { expect, it } from '@jest/globals'
import { transformSync } from '@swc/core'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const LIMIT = 4_096

/** A module and those that it imports at once, as a bundler would ship them. */
function bundle(file: string, seen = new Set<string>()): string {
  if (seen.has(file)) return ''
  seen.add(file)
  const { code } = transformSync(readFileSync(new URL(file, import.meta.url), 'utf8'), {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022', minify: { compress: true, mangle: true } },
    module: { type: 'es6' },
    minify: true,
  })
  const imports = code.matchAll(/(?:from|import)\s*["']([^"']+)["']/g)
  const others = [...imports].map(([, name = '']) => {
    const contract = /^@partsbus\/contracts\/(.+)$/.exec(name)?.[1]
    if (contract !== undefined) return bundle(`../../contracts/src/${contract}.ts`, seen)
    if (!name.startsWith('./')) throw new Error(`${file} imports ${name}`)
    return bundle(name.replace(/\.js$/, '.ts'), seen)
  })
  return others.join('') + code
}

it.each(['./admin-client.ts', './erp-client.ts', './partner-client.ts'])(
  '%s is at most 4 KB and brings no package with it',
  (entry) => {
    const code = bundle(entry)
    expect(gzipSync(code).byteLength).toBeLessThanOrEqual(LIMIT)
  },
)

it('loads the schemas only to validate', () => {
  expect(bundle('./transport.ts')).toContain('import("./validate-answer.js")')
})
