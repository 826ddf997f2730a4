// @ts-check
import { checkFrontPages, checkLines } from './lines.mjs'
import { checkManifests } from './manifests.mjs'
import { checkNames } from './names.mjs'
import { checkSubjects } from './subjects.mjs'
import { checkTracked } from './tracked.mjs'
import { checkVersions } from './versions.mjs'
import { checkPlatformWords, checkUnfinished } from './words.mjs'

/**
 * The rules that no tool checks. Each is a pure function over the tree.
 *
 * @type {{ name: string, check: (files: import('./places.mjs').File[]) => import('./places.mjs').Violation[] }[]}
 */
export const RULES = [
  { name: 'manifests', check: checkManifests },
  { name: 'platform knows no domain', check: checkPlatformWords },
  { name: 'subjects', check: checkSubjects },
  { name: 'names', check: checkNames },
  { name: 'nothing unfinished', check: checkUnfinished },
  { name: 'lines', check: checkLines },
  { name: 'front pages', check: checkFrontPages },
  { name: 'tracked files', check: checkTracked },
  { name: 'one version', check: checkVersions },
]

/**
 * `services/stock/src/main.ts:3  rule  message`, as editors and CI logs link it.
 *
 * @param {import('./places.mjs').Violation} violation
 */
export function describeViolation({ path, line, rule, message }) {
  return `${path}${line === undefined ? '' : `:${line}`}  ${rule}  ${message}`
}
