// @ts-check
import { isSource } from './places.mjs'

const MAX_COLUMNS = 120

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
