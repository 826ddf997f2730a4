// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Limits of the built admin pages in bytes, compressed by gzip. */
const LIMITS = { entry: 150_000, styles: 20_000, page: 35_000, language: 13_500, all: 400_000 }

/**
 * Compares the built pages with their limits. @param {string} root the checkout @returns {string[]} complaints
 */
export function checkPageSizes(root) {
  const folder = join(root, 'apps', 'admin', 'dist')
  if (!existsSync(join(folder, 'index.html'))) return ['apps/admin  is not built: run `node scripts/prepare.mjs`']
  const size = (/** @type {string} */ name) => readFileSync(join(folder, `${name}.gz`)).length
  const assets = readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`)
  const scripts = assets.filter((name) => name.endsWith('.js'))
  const isEntry = (/** @type {string} */ name) => name.startsWith('assets/main-')
  // a chunk that several pages share, like the combobox, counts in the sum of all scripts
  const isPage = (/** @type {string} */ name) => /-page-[\w-]+\.js$/.test(name)
  const sum = (/** @type {string[]} */ names) => names.reduce((total, name) => total + size(name), 0)
  return [
    ...over('the entry', sum(['app.js', ...scripts.filter(isEntry)]), LIMITS.entry),
    ...over('the style sheet', sum(assets.filter((name) => name.endsWith('.css'))), LIMITS.styles),
    ...['en', 'ru'].flatMap((language) =>
      over(`the texts in ${language}`, textsOfOnePage(scripts, language, size), LIMITS.language),
    ),
    ...scripts.filter(isPage).flatMap((name) => over(name, size(name), LIMITS.page)),
    ...scripts
      .filter(isEntry)
      .flatMap((name) =>
        importsAtOnce(folder, name) ? [`apps/admin  ${name} loads other chunks before the first page`] : [],
      ),
    ...over('all scripts', sum(scripts), LIMITS.all),
  ]
}

/** Each chunk that the entry imports is one more request. @param {string} folder @param {string} name */
const importsAtOnce = (folder, name) =>
  /(^|[;}])import[{"'*]/.test(readFileSync(join(folder, name), 'utf8').slice(0, 5_000))

/**
 * The texts of one language that a page loads: those of every page, and those of at most two features.
 *
 * @param {string[]} scripts
 * @param {string} language
 * @param {(name: string) => number} size
 */
function textsOfOnePage(scripts, language, size) {
  const own = scripts.filter((name) => name.startsWith(`assets/${language}-`))
  const isBase = (/** @type {string} */ name) => /^assets\/\w\w-[\w-]{8}\.js$/.test(name)
  const features = own.filter((name) => !isBase(name)).map(size)
  const largest = features.toSorted((one, other) => other - one).slice(0, 2)
  return [...own.filter(isBase).map(size), ...largest].reduce((total, bytes) => total + bytes, 0)
}

/** @param {string} what @param {number} bytes @param {number} limit */
const over = (what, bytes, limit) =>
  bytes > limit ? [`apps/admin  ${what} has ${bytes} bytes by gzip, at most ${limit}`] : []
