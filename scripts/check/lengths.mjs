// @ts-check
import { isSource } from './places.mjs'

/** Lines. A file that grows beyond holds more than one thing (CONTRIBUTING.md#names). */
const LIMITS = { source: 300, spec: 500 }

/** @param {import('./places.mjs').File[]} files @returns {import('./places.mjs').Violation[]} */
export function checkLengths(files) {
  return files
    .filter((file) => isSource(file.path))
    .flatMap(({ path, text }) => {
      const limit = /\.spec\.[a-z]+$/.test(path) || path.startsWith('e2e/') ? LIMITS.spec : LIMITS.source
      const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
      return lines > limit
        ? [{ rule: 'file-length', path, message: `${lines} lines, at most ${limit}: split it by what it does` }]
        : []
    })
}
