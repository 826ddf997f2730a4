import type { RequestHeader } from './row.js'

interface HeaderDocs {
  description: string
  schema: Readonly<Record<string, unknown>>
  example?: string
}

const text = { type: 'string' as const }

export const requestHeaders: Readonly<Record<RequestHeader, HeaderDocs>> = {
  'X-Error-Policy': {
    description:
      'What happens to a batch with an invalid item. `reject-batch`: 422 for the whole batch; nothing is written, ' +
      'and all violations are listed. `reject-failed-rows`: the valid items are processed, and each invalid one ' +
      'becomes an entry of `errors` with its id or `""`. The default is the setting `erp_error_policy`, which is ' +
      '`reject_batch` at first. Any other value is 422.',
    schema: { type: 'string', enum: ['reject-batch', 'reject-failed-rows'] },
    example: 'reject-failed-rows',
  },
  'X-Result-Details': {
    description:
      '`1`: the answer has, besides its documented fields, `details`: how many items were unchanged, how many images ' +
      'are not fetched yet, which fields were ignored, and for up to 1,000 items what happened, with a code and a ' +
      'level. A 422 has them, too. Without the header nothing changes.',
    schema: { type: 'string', enum: ['0', '1'], 'x-enum-varnames': ['off', 'on'] },
    example: '1',
  },
  'X-Update-Mode': {
    description:
      '`replace`: a sent `category_id_erp` becomes the only category (`null`: none), and sent `attributes` become ' +
      'the only attributes (`null` or `[]`: none); absent fields stay. `merge`, the default: links and attributes ' +
      'add up.',
    schema: { type: 'string', enum: ['merge', 'replace'] },
    example: 'replace',
  },
  'X-Full-Sync': {
    description: 'Id of an open full sync: the items of the batch count as sent in it. Any other value is 422.',
    schema: text,
    example: '692041c0a1f4b2c3d4e5f607',
  },
  'If-Match': {
    description: 'the `ETag` of the resource as it was read: a change since then is answered 412; `*` or absent: any',
    schema: text,
  },
  'Last-Event-ID': { description: 'the `id` of the last event that came; sent by browsers', schema: text },
}

export const responseHeaders = {
  'Retry-After': { description: 'Seconds to wait before repeating the request.', schema: { type: 'integer' as const } },
  ETag: {
    description:
      'Of an image: changes with its bytes; send it back in `If-None-Match`. Of a resource of the admin API: its ' +
      'revision; send it back in `If-Match`.',
    schema: text,
  },
  'Cache-Control': { description: 'How long the response may be cached.', schema: text },
  'X-Suppliers': { description: 'The outcome of each storage: `12=ok,14=timeout,15=error`.', schema: text },
  'X-Client-Address': {
    description: 'The address that the request came from, for `erp_allowed_ips`.',
    schema: text,
  },
  'Content-Disposition': { description: 'The name of the file.', schema: text },
  'Content-Range': {
    description: 'The bytes of the response, and the size of the file: `bytes 0-1023/48213`.',
    schema: text,
  },
}
