// @ts-check
import { isShipped, isSource, packageFolder } from './places.mjs'
import { splitWords } from './names.mjs'

/** Words of the domain: singular and plural are found, phrases with any space or hyphen. */
const DOMAIN = [
  'product',
  'category',
  'stock',
  'supply',
  'storage',
  'pick up',
  'price list',
  'article',
  'brand',
  'offer',
  'slug',
  'image',
  'erp',
]
/** Names of Node and of JetStream that contain one of them, and citations of the specification. */
const FOREIGN_NAMES = /\bAsyncLocalStorage\b|\b[\w-]+\.md#[\w-]+|\bstorage: (?=StorageType\.)|\bStorageType\b/g
/** Spelt in pieces, so that this file does not find itself. */
const UNFINISHED = [
  ['TO', 'DO'],
  ['FIX', 'ME'],
  ['X', 'XX'],
  ['HA', 'CK'],
  ['not ', 'implemented'],
].map((word) => word.join(''))
const SILENCERS = [
  ['@ts-', 'ignore'],
  ['@ts-', 'nocheck'],
  ['eslint-', 'disable'],
  ['oxlint-', 'disable'],
  ['oxfmt-', 'ignore'],
  ['prettier-', 'ignore'],
  ['istanbul ', 'ignore'],
].map((word) => word.join(''))
const PROSE = /\.(md|ya?ml|json|conf|sh|html)$|Dockerfile$/

/**
 * The platform serves any domain: its code, comments and texts contain no word of this one.
 *
 * @param {import('./places.mjs').File[]} files
 */
export function checkPlatformWords(files) {
  const shipped = files.filter((file) => packageFolder(file.path) === 'packages/platform' && isShipped(file.path))
  return shipped.flatMap(({ path, text }) =>
    [path, ...text.replace(FOREIGN_NAMES, '').split('\n')].flatMap((content, line) => {
      const word = domainWordIn(content)
      return word
        ? [
            {
              rule: 'platform-knows-domain',
              path,
              ...(line > 0 && { line }),
              message: `"${word}" is a word of the domain`,
            },
          ]
        : []
    }),
  )
}

/** @param {string} text */
function domainWordIn(text) {
  const words = ` ${splitWords(text).join(' ')} `
  return DOMAIN.find((word) => words.includes(` ${word} `) || words.includes(` ${plural(word)} `))
}

/** @param {string} word */
const plural = (word) => (word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`)

/** Marks of unfinished work, and comments that silence a tool. @param {import('./places.mjs').File[]} files */
export function checkUnfinished(files) {
  return files
    .filter((file) => isSource(file.path) || PROSE.test(file.path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((content, at) => {
        const words = [
          ...UNFINISHED.filter((word) => wordPattern(word).test(content)),
          ...(isSource(path) ? SILENCERS.filter((word) => content.includes(word)) : []),
        ]
        return words.map((word) => ({
          rule: 'unfinished',
          path,
          line: at + 1,
          message: `"${word}": finish it, or open an issue`,
        }))
      }),
    )
}

/** Marks in capitals as they stand, phrases in any case. @param {string} word */
const wordPattern = (word) => new RegExp(`\\b${word}\\b`, word === word.toUpperCase() ? '' : 'i')
