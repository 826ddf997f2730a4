// @ts-check
import { packageFolder, SERVICES } from './places.mjs'

/** The gateway serves what it builds; nothing imports it. */
const PAGES = 'admin'
const OWN_SCOPE = '@partsbus/'
/**
 * The packages of the workspace on which a package may depend, and other packages where those are limited, too.
 *
 * @type {Map<string, { own: string[], foreign?: string[] }>}
 */
const LIMITS = new Map([
  ['packages/contracts', { own: [], foreign: ['zod'] }],
  ['packages/client', { own: ['contracts'], foreign: ['@swc/core', 'zod'] }],
  ['packages/cli', { own: ['client', 'contracts'], foreign: ['zod'] }],
  ['packages/openapi', { own: ['contracts', 'platform'] }],
  ['packages/price-file', { own: [] }],
  ['packages/platform', { own: ['contracts'] }],
  ['apps/admin', { own: ['client', 'contracts'] }],
])

/**
 * Each package.json: the borders again, and versions that mean one version. @param {import('./places.mjs').File[]}
 * files
 */
export function checkManifests(files) {
  return files
    .filter((file) => /(^|\/)package\.json$/.test(file.path))
    .flatMap(({ path, text }) => {
      /** @type {Record<string, Record<string, string>>} */
      const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = JSON.parse(text)
      const limit = LIMITS.get(packageFolder(path))
      return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).flatMap(
        ([name, version]) => {
          const own = name.startsWith(OWN_SCOPE) ? name.slice(OWN_SCOPE.length) : undefined
          const messages = []
          if (own && SERVICES.includes(own))
            messages.push({ rule: 'depends-on-service', message: `${name} is a service: nothing depends on it` })
          if (own === PAGES && packageFolder(path) !== 'services/gateway')
            messages.push({ rule: 'depends-on-pages', message: `${name}: only the gateway serves the pages` })
          if (own ? limit && !limit.own.includes(own) : limit?.foreign && !limit.foreign.includes(name)) {
            messages.push({
              rule: 'depends-beyond-border',
              message: `${packageFolder(path)} may not depend on ${name}`,
            })
          }
          if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) && version !== 'workspace:*') {
            messages.push({ rule: 'exact-version', message: `${name} ${version}: name one version` })
          }
          return messages.map((message) => ({ path, ...message }))
        },
      )
    })
}
