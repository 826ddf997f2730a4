// @ts-check
import { isShipped, isSource, isTest, packageFolder, SERVICES } from './places.mjs'

const NAMES = SERVICES.join('|')
const DECLARATION = /\b(?:command|batchCommand|domainEvent)\(\s*(['"])(.*?)\1/g
const SUBJECT = new RegExp(`^(${NAMES})(\\.[a-z]+(-[a-z]+)*){2}$`)
/**
 * A quoted text that would reach a service when published: `catalog.products.upsert`, `stock.>`, `jobs.catalog.media`.
 */
const QUOTED_SUBJECT = new RegExp(
  `(['"\`])((?:${NAMES})\\.(?:[a-z*-]+\\.[a-z*>-]+|>)|jobs\\.(?:${NAMES})\\.[a-z-]+)\\1`,
  'g',
)
/** A comment at the end of a line, or a line of a block comment. */
const COMMENT = /\s\/\/ .*$|^\s*(\/\*\*|\*|\/\/).*$/

/**
 * Subjects are written once, in the contracts, as `<service>.<noun>.<verb>`.
 *
 * @param {import('./places.mjs').File[]} files @returns {import('./places.mjs').Violation[]}
 */
export function checkSubjects(files) {
  return [...declared(files), ...repeated(files)]
}

/** @param {import('./places.mjs').File[]} files @returns {import('./places.mjs').Violation[]} */
function declared(files) {
  /** @type {Map<string, string>} */
  const first = new Map()
  return files
    .filter((file) => packageFolder(file.path) === 'packages/contracts' && isShipped(file.path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(DECLARATION)].flatMap(({ 2: subject = '', index }) => {
        const found = []
        const line = text.slice(0, index).split('\n').length
        if (!SUBJECT.test(subject))
          found.push({ rule: 'subject-form', path, line, message: `'${subject}' is not <service>.<noun>.<verb>` })
        const before = first.get(subject)
        if (before)
          found.push({ rule: 'subject-twice', path, line, message: `'${subject}' is declared in ${before} too` })
        else first.set(subject, path)
        return found
      }),
    )
}

/** @param {import('./places.mjs').File[]} files @returns {import('./places.mjs').Violation[]} */
function repeated(files) {
  return files
    .filter((file) => isSource(file.path) && !isTest(file.path) && packageFolder(file.path) !== 'packages/contracts')
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((content, at) =>
        [...content.replace(COMMENT, '').matchAll(QUOTED_SUBJECT)].map(({ 2: subject }) => ({
          rule: 'subject-place',
          path,
          line: at + 1,
          message: `'${subject}': import it from the contracts`,
        })),
      ),
    )
}
