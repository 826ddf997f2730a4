import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROUTES = readFileSync(join(import.meta.dirname, '../../apps/admin/src/routes.tsx'), 'utf8')

/** The path of each page, by its route: a new page joins by itself. A parameter stands as `$id`. */
export const pagePaths: readonly string[] = [...ROUTES.matchAll(/path: '(\/[^']*)'/g)]
  .map(([, path = '']) => path)
  .sort()
