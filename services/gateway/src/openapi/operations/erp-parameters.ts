import type { Parameter } from './operation.js'

const errorPolicy: Parameter = {
  in: 'header',
  name: 'X-Error-Policy',
  description:
    'What happens to a batch with an invalid item. `reject-batch`: 422 for the whole batch; nothing is written, ' +
    'and all violations are listed. `reject-failed-rows`: the valid items are processed, and each invalid one ' +
    'becomes an entry of `errors` with its id or `""`. The default is the setting `erp_error_policy`, which is ' +
    '`reject_batch` at first. Any other value is 422.',
  schema: { type: 'string', enum: ['reject-batch', 'reject-failed-rows'] },
  example: 'reject-failed-rows',
}

export const resultDetails: Parameter = {
  in: 'header',
  name: 'X-Result-Details',
  description:
    '`1`: the answer has, besides its documented fields, `details`: how many items were unchanged, how many images ' +
    'are not fetched yet, which fields were ignored, and for up to 1,000 items what happened, with a code and a ' +
    'level. A 422 has them, too. Without the header nothing changes.',
  schema: { type: 'string', enum: ['0', '1'], 'x-enum-varnames': ['off', 'on'] },
  example: '1',
}

export const updateMode: Parameter = {
  in: 'header',
  name: 'X-Update-Mode',
  description:
    '`replace`: a sent `category_id_erp` becomes the only category (`null`: none), and sent `attributes` become the ' +
    'only attributes (`null` or `[]`: none); absent fields stay. `merge`, the default: links and attributes add up.',
  schema: { type: 'string', enum: ['merge', 'replace'] },
  example: 'replace',
}

export const fullSyncHeader: Parameter = {
  in: 'header',
  name: 'X-Full-Sync',
  description: 'Id of an open full sync: the items of the batch count as sent in it. Any other value is 422.',
  schema: { type: 'string' },
  example: '692041c0a1f4b2c3d4e5f607',
}

/** Headers of every batch. */
export const batchHeaders = [errorPolicy, resultDetails]
