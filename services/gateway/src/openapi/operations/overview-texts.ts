import type { AdminPath } from '@partsbus/contracts/admin/paths'
import * as examples from '../examples/overview-examples.js'
import { refusals } from './error-responses.js'
import type { RouteText } from './route-text.js'

const tag = 'Overview and statistics'
const PERIOD =
  'By hours, or by days of UTC with `step=day`; hours and days without any are left out. More than 1,000 points are ' +
  'a violation.'
const tooMany = { from: ['The range must not have more than 1000 points.'] }
const late = { 504: refusals.timeout }

export const overviewTexts = {
  'GET /overview': {
    tag,
    summary: 'Show the state of everything',
    description:
      'Services, problems with a code, and figures of each part. The parts are asked at the same time; one that does ' +
      'not answer within 1.5 s is `null`, and its service is `away`. Counts of large collections are estimates.',
    result: 'The state now',
    answer: examples.overview,
  },
  'GET /references': {
    tag,
    summary: 'List the names of everything',
    description: 'Names for pickers and labels, in one call. With `If-None-Match` and an `ETag` that still holds: 304.',
    result: 'The names',
    answer: examples.references,
    answers: { ...late, 304: { description: 'Nothing has changed.' } },
  },
  'GET /statistics/imports': {
    tag,
    summary: 'Count imports',
    description: `Imports that ended. ${PERIOD} Imports are counted as long as they are kept (\`retention_days\`).`,
    result: 'Points in the order of time',
    answer: [examples.importPoint],
    violations: tooMany,
    answers: late,
  },
  'GET /statistics/suppliers': {
    tag,
    summary: 'Count the answers of suppliers',
    description: `What each storage answered to searches, in the last 14 days. ${PERIOD}`,
    result: 'Points in the order of time',
    answer: [examples.supplierPoint],
    violations: tooMany,
    answers: late,
  },
  'GET /statistics/apis': {
    tag,
    summary: 'Count the requests of the ERP and of partners',
    description: `Requests to \`/api/erp\` and \`/api/b2b\`, in the last 14 days. ${PERIOD}`,
    result: 'Points in the order of time',
    answer: [examples.apiPoint],
    violations: tooMany,
  },
  'POST /search/brands': {
    tag,
    summary: 'Search the brands of an article',
    description:
      'What a partner gets from `get-brands`, and what each storage did: its outcome, how long it took, and the ' +
      'reason of a failure. It works while the partner API is off, too; `is_open` says whether it is on.',
    result: 'What a partner gets, and why',
    answer: examples.explainedBrands,
    body: { summary: 'An article', value: { article: 'oc 1051' } },
    bodyText: 'As `get-brands`.',
    violations: { article: ['The article field is required.'] },
    answers: late,
  },
  'POST /search/parts': {
    tag,
    summary: 'Search the offers of an article',
    description:
      'What a partner gets from `get-parts`, and what each storage did: its outcome, how long it took, and the ' +
      'reason of a failure. It works while the partner API is off, too; `is_open` says whether it is on.',
    result: 'What a partner gets, and why',
    answer: examples.explainedParts,
    body: { summary: 'An article of one brand', value: { article: 'oc 1051', brands: ['MAHLE'] } },
    bodyText: 'As `get-parts`.',
    violations: { brands: ['The brands field is required.'] },
    answers: late,
  },
} satisfies Partial<Record<AdminPath, RouteText>>
