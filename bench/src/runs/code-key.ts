import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Folders whose code is measured or measures. */
const MEASURED = ['packages', 'services', 'bench']
/** What only the benchmark of the pages depends on. */
const PAGES = ['apps']
const isLeftOut = (name: string): boolean =>
  name === 'node_modules' ||
  name === 'dist' ||
  name === 'results' ||
  name.startsWith('.') ||
  /\.spec\.ts$|\.tsbuildinfo$/.test(name)

/** A hash of the code that a group measures, committed or not. Documentation, results and tests are no part of it. */
export function codeKey(root: string, group: string): string {
  const hash = createHash('sha256').update(readFileSync(join(root, 'pnpm-lock.yaml')))
  const add = (path: string): void => {
    for (const entry of readdirSync(join(root, path), { withFileTypes: true }).sort(byName)) {
      if (isLeftOut(entry.name)) continue
      const below = `${path}/${entry.name}`
      if (entry.isDirectory()) add(below)
      else if (entry.isFile()) hash.update(`${below}\0`).update(readFileSync(join(root, below)))
    }
  }
  for (const folder of group === 'pages' ? [...MEASURED, ...PAGES] : MEASURED)
    if (existsSync(join(root, folder))) add(folder)
  return hash.digest('hex').slice(0, 16)
}

/** The commit that is checked out, for people; undefined outside of a repository. */
export function currentCommit(root: string): string | undefined {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return undefined
  }
}

const byName = (one: { name: string }, other: { name: string }): number =>
  one.name < other.name ? -1 : one.name > other.name ? 1 : 0
