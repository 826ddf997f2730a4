// @ts-check
import { isSource } from './places.mjs'

const MAX_COLUMNS = 120
/** What a stranger reads before he decides; everything else has a page of its own. */
const MAX_FRONT_PAGE = 6_500

/**
 * The formatter breaks code at this width, but neither comments nor strings.
 *
 * @param {import('./places.mjs').File[]} files
 * @returns {import('./places.mjs').Violation[]}
 */
export function checkLines(files) {
  return files
    .filter(({ path }) => isSource(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((content, at) => {
        const columns = [...content].length
        if (columns <= MAX_COLUMNS) return []
        return [{ rule: 'line-length', path, line: at + 1, message: `${columns} columns, at most ${MAX_COLUMNS}` }]
      }),
    )
}

/**
 * `README.md` and its translations are short.
 *
 * @param {import('./places.mjs').File[]} files
 * @returns {import('./places.mjs').Violation[]}
 */
export function checkFrontPages(files) {
  return files
    .filter(({ path }) => /^README(\.[a-z]{2})?\.md$/.test(path))
    .flatMap(({ path, text }) => {
      const characters = [...text].length
      if (characters <= MAX_FRONT_PAGE) return []
      return [{ rule: 'front-page-length', path, message: `${characters} characters, at most ${MAX_FRONT_PAGE}` }]
    })
}
