import type { HeaderName } from '../operations/operation.js'

/** Headers of answers, as the document's components. */
export const headers: Readonly<Record<HeaderName, { description: string; schema: { type: string } }>> = {
  'Retry-After': { description: 'Seconds to wait before repeating the request.', schema: { type: 'integer' } },
  ETag: {
    description:
      'Of an image: changes with its bytes; send it back in `If-None-Match`. Of a resource of the admin API: its ' +
      'revision; send it back in `If-Match`.',
    schema: { type: 'string' },
  },
  'Cache-Control': { description: 'How long the response may be cached.', schema: { type: 'string' } },
  'X-Suppliers': {
    description: 'The outcome of each storage: `12=ok,14=timeout,15=error`.',
    schema: { type: 'string' },
  },
  'X-Client-Address': {
    description: 'The address that the request came from, for `erp_allowed_ips`.',
    schema: { type: 'string' },
  },
  'Content-Disposition': { description: 'The name of the file.', schema: { type: 'string' } },
  'Content-Range': {
    description: 'The bytes of the response, and the size of the file: `bytes 0-1023/48213`.',
    schema: { type: 'string' },
  },
}
