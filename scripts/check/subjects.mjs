// @ts-check
import { isShipped, isSource, isTest, packageOf, SERVICES } from './places.mjs'
import { scanSource } from './scan-source.mjs'

const MAKERS = new Set(['command', 'batchCommand', 'domainEvent'])
const NAMES = SERVICES.join('|')
const SUBJECT = new RegExp(`^(${NAMES})(\\.[a-z]+(-[a-z]+)*){2}$`)
/** Anything that would reach a service when published: `catalog.products.upsert`, `stock.>`, `jobs.catalog.media`. */
const LOOKS_LIKE_SUBJECT = new RegExp(`^((${NAMES})\\.([a-z*-]+\\.[a-z*>-]+|>)|jobs\\.(${NAMES})\\.[a-z-]+)$`)

/**
 * Subjects are written once, in the contracts, as `<service>.<noun>.<verb>` (architecture.md#bus).
 *
 * @param {import('./places.mjs').File[]} files @returns {import('./places.mjs').Violation[]}
 */
export function checkSubjects(files) {
  return [...declared(files), ...strayed(files)]
}

/** @param {import('./places.mjs').File[]} files @returns {import('./places.mjs').Violation[]} */
function declared(files) {
  /** @type {Map<string, string>} */
  const first = new Map()
  return files
    .filter((file) => packageOf(file.path) === 'packages/contracts' && isShipped(file.path))
    .flatMap(({ path, text }) => {
      const tokens = scanSource(text).filter((token) => token.kind !== 'comment')
      return tokens.flatMap((token, at) => {
        const [open, subject] = [tokens[at + 1], tokens[at + 2]]
        if (!MAKERS.has(token.text) || open?.text !== '(' || subject?.kind !== 'string') return []
        const found = []
        if (!SUBJECT.test(subject.text)) {
          found.push({
            rule: 'subject-form',
            path,
            line: subject.line,
            message: `'${subject.text}' is not <service>.<noun>.<verb>`,
          })
        }
        const before = first.get(subject.text)
        if (before)
          found.push({
            rule: 'subject-twice',
            path,
            line: subject.line,
            message: `'${subject.text}' is declared in ${before} too`,
          })
        else first.set(subject.text, path)
        return found
      })
    })
}

/** @param {import('./places.mjs').File[]} files @returns {import('./places.mjs').Violation[]} */
function strayed(files) {
  const others = files.filter(
    (file) => isSource(file.path) && !isTest(file.path) && packageOf(file.path) !== 'packages/contracts',
  )
  return others.flatMap(({ path, text }) =>
    scanSource(text)
      .filter((token) => token.kind === 'string' && LOOKS_LIKE_SUBJECT.test(token.text))
      .map((token) => ({
        rule: 'subject-place',
        path,
        line: token.line,
        message: `'${token.text}': import it from the contracts`,
      })),
  )
}
