import type { overviewRows } from './admin-overview.js'
import type { DocsOf } from './docs.js'

const PERIOD =
  'By hours, or by days of UTC with `step=day`; hours and days without any are left out. More than 1,000 points are ' +
  'a violation.'
const tooMany = { from: ['The range must not have more than 1000 points.'] }

export const overviewDocs: DocsOf<typeof overviewRows> = {
  'GET /overview': {
    description:
      'Services, problems with a code, and figures of each part. The parts are asked at the same time; one that does ' +
      'not answer within 1.5 s is `null`, and its service is `away`. Counts of large collections are estimates.',
    result: 'The state now',
  },
  'GET /references': {
    description: 'Names for pickers and labels, in one call. With `If-None-Match` and an `ETag` that still holds: 304.',
    result: 'The names',
    statuses: { 304: { description: 'Nothing has changed.' } },
  },
  'GET /statistics/imports': {
    description: `Imports that ended. ${PERIOD} Imports are counted as long as they are kept (\`retention_days\`).`,
    result: 'Points in the order of time',
    violations: tooMany,
  },
  'GET /statistics/suppliers': {
    description: `What each storage answered to searches, in the last 14 days. ${PERIOD}`,
    result: 'Points in the order of time',
    violations: tooMany,
  },
  'GET /statistics/apis': {
    description: `Requests to \`/api/erp\` and \`/api/b2b\`, in the last 14 days. ${PERIOD}`,
    result: 'Points in the order of time',
    violations: tooMany,
  },
  'POST /search/brands': {
    description:
      'What a partner gets from `get-brands`, and what each storage did: its outcome, how long it took, and the ' +
      'reason of a failure. It works while the partner API is off, too; `is_open` says whether it is on.',
    result: 'What a partner gets, and why',
    body: 'As `get-brands`.',
    violations: { article: ['The article field is required.'] },
  },
  'POST /search/parts': {
    description:
      'What a partner gets from `get-parts`, and what each storage did: its outcome, how long it took, and the ' +
      'reason of a failure. It works while the partner API is off, too; `is_open` says whether it is on.',
    result: 'What a partner gets, and why',
    body: 'As `get-parts`.',
    violations: { brands: ['The brands field is required.'] },
  },
}
