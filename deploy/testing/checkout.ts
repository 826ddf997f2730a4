import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
export const services = ['gateway', 'administration', 'catalog', 'stock', 'pricing-import', 'supplier-search']
/** Those that own a database. */
export const withDatabase = services.filter((name) => name !== 'gateway')

/** The user of a service's database: that of the administration service belonged to the gateway. */
export const databaseUser = (service: string): string => (service === 'administration' ? 'gateway' : service)

/** Text of a file of this checkout. */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Documents of a YAML file, with `<<` merged as compose does it. Throws on any error or warning of the parser. */
export function readYaml<Document>(path: string): Document[] {
  return parseAllDocuments(read(path), { merge: true }).map((document) => {
    const [problem] = [...document.errors, ...document.warnings]
    if (problem) throw problem
    return document.toJS() as Document
  })
}

/** Paths of the shipped sources of a folder. */
export function sourcePaths(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !path.includes('testing'))
    .map((path) => join(folder, path))
}

/** Their texts. */
export const sources = (folder: string): string[] => sourcePaths(folder).map(read)

/**
 * Variables that a service reads: keys of its configuration schemas and of those of the packages that it depends on,
 * and those read from the environment directly.
 */
export function variablesRead(service: string): Set<string> {
  const { dependencies } = JSON.parse(read(`services/${service}/package.json`)) as { dependencies: object }
  const schemas = Object.keys(dependencies)
    .filter((name) => name.startsWith('@partsbus/'))
    .map((name) => `packages/${name.slice('@partsbus/'.length)}/src/config.ts`)
    .filter((path) => existsSync(join(root, path)))
  const texts = [...sources('packages/platform/src'), ...sources(`services/${service}/src`), ...schemas.map(read)]
  const found = texts.flatMap((text) => [
    ...text.matchAll(/^\s+([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*): |\benv\.([A-Z][A-Z0-9_]+)/gm),
  ])
  // NODE_OPTIONS is read by Node itself
  return new Set(['NODE_OPTIONS', ...found.map(([, key, env]) => key ?? env ?? '')])
}

/** A variable may be given as the path of a file that contains it. */
export const isRead = (read: Set<string>, variable: string): boolean =>
  read.has(variable) || read.has(variable.replace(/_FILE$/, ''))
