// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** Licenses, by their SPDX names, of what may ship: they ask for their own text and nothing else. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Unlicense',
  'Zlib',
])

/** Folders of the workspace that ship: in an image, or as a package. What they depend on ships with them. */
const SHIPPED = /^services\/|^packages\/(cli|client|contracts|operations|price-file)$/

/**
 * Whether something may ship under an expression of SPDX: one of the licenses joined by `OR`, each of those by `AND`.
 * @param {string} expression
 */
export function isAllowed(expression) {
  return expression
    .replace(/[()]/g, '')
    .split(' AND ')
    .every((part) => part.split(' OR ').some((license) => ALLOWED.has(license.trim())))
}

/**
 * The licenses of all packages that ship with the services, the command line and the published packages, and of those
 * that are compiled into the pages. @param {string} root the checkout @returns {string[]} complaints
 */
export function checkLicenses(root) {
  const installed = readInstalled(root)
  const wanted = shippedPackages(parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')))
  const shipped = wanted.map((name) => ({ name, license: installed.get(name) }))
  return [...shipped, ...compiledIn(root)].flatMap(({ name, license }) => {
    // one of another platform
    if (license === undefined) return []
    return isAllowed(license) ? [] : [`${name}  has the license "${license}": see scripts/check/licenses.mjs`]
  })
}

/**
 * @typedef {Record<string, { version: string }>} Dependencies
 * @typedef {{ dependencies?: Dependencies, optionalDependencies?: Dependencies }} Importer
 * @typedef {{ dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Snapshot
 * @param {{ importers: Record<string, Importer>, snapshots: Record<string, Snapshot> }} lockfile
 * @returns {string[]} `name@version` of each package of other publishers
 */
export function shippedPackages({ importers, snapshots }) {
  /** @type {Set<string>} */
  const found = new Set()
  /** @type {Set<string>} */
  const seen = new Set()
  /** @param {string} folder */
  const addFolder = (folder) => {
    if (seen.has(folder)) return
    seen.add(folder)
    const { dependencies = {}, optionalDependencies = {} } = importers[folder] ?? {}
    for (const [name, { version }] of Object.entries({ ...dependencies, ...optionalDependencies }))
      if (version.startsWith('link:')) addFolder(join(folder, version.slice('link:'.length)))
      else addPackage(name, version)
  }
  /** @param {string} name @param {string} version */
  const addPackage = (name, version) => {
    // an alias has the name of its package in the version
    const key = version.lastIndexOf('@') > 0 && !version.includes('(') ? version : `${name}@${version}`
    if (seen.has(key)) return
    seen.add(key)
    found.add(key.replace(/\(.*/, ''))
    const { dependencies = {}, optionalDependencies = {} } = snapshots[key] ?? {}
    for (const [each, of] of Object.entries({ ...dependencies, ...optionalDependencies })) addPackage(each, of)
  }
  for (const folder of Object.keys(importers)) if (SHIPPED.test(folder)) addFolder(folder)
  return [...found].sort()
}

/** @param {string} root @returns {Map<string, string>} `name@version` → license */
function readInstalled(root) {
  const store = join(root, 'node_modules', '.pnpm')
  const manifests = readdirSync(store).flatMap((entry) => {
    const folder = join(store, entry, 'node_modules')
    if (!existsSync(folder)) return []
    const names = ownFolders(folder).flatMap((name) =>
      name.startsWith('@') ? ownFolders(join(folder, name)).map((each) => join(name, each)) : [name],
    )
    return names.map((name) => join(folder, name, 'package.json')).filter((path) => existsSync(path))
  })
  return new Map(
    manifests.map((path) => {
      const { name, version, license, licenses } = JSON.parse(readFileSync(path, 'utf8'))
      const old = licenses?.map((/** @type {{ type: string }} */ { type }) => type).join(' OR ')
      return [`${name}@${version}`, license?.type ?? license ?? old ?? 'none']
    }),
  )
}

/** In the store a package lies beside links to what it depends on. @param {string} folder */
const ownFolders = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))

/** What the bundler says of the packages in the pages; nothing in a checkout without a build. @param {string} root */
function compiledIn(root) {
  const file = join(root, 'apps', 'admin', 'dist', 'licenses.txt')
  if (!existsSync(file)) return []
  const headings = readFileSync(file, 'utf8').matchAll(/^## (\S+) - (\S+)(?: \((.+)\))?$/gm)
  return [...headings].map(([, name, version, license = 'none']) => ({ name: `${name}@${version}`, license }))
}
