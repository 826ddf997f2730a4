// @ts-check
/**
 * Kinds of files by their path. Paths are relative to the checkout, with forward slashes.
 *
 * @typedef {{ path: string, text: string, bytes: number }} File `text` is empty for a binary file
 * @typedef {{ rule: string, path: string, line?: number, message: string }} Violation
 */

export const SERVICES = ['gateway', 'administration', 'catalog', 'stock', 'pricing-import', 'supplier-search']

/** @param {string} path */
export const isSource = (path) => /\.(tsx?|mts|js|mjs|cjs)$/.test(path) && !path.endsWith('.d.ts')

/** Test code: a spec, or a file in a `testing` folder. @param {string} path */
export const isTest = (path) => /\.spec\.(ts|mjs)$/.test(path) || path.includes('/testing/')

/**
 * `packages/platform`, `services/stock`, `apps/admin`, or '' for files of the root package.
 * @param {string} path
 */
export const packageFolder = (path) => /^(?:packages|services|apps)\/[^/]+(?=\/)/.exec(path)?.[0] ?? ''

/** Code that ships: `src` of packages, services and apps, without tests. @param {string} path */
export const isShipped = (path) =>
  isSource(path) && /^(packages|services|apps)\/[^/]+\/src\//.test(path) && !isTest(path)

/** @param {string} path */
export const fileName = (path) => path.slice(path.lastIndexOf('/') + 1)
