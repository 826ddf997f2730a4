import { refusals } from './error-responses.js'
import type { Operation } from './operation.js'

const types = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const

/** Stored pictures (admin.md#media). */
export const mediaOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/media/{id}/{file_name}',
    tag: 'Media',
    summary: 'Read a picture',
    description:
      'The bytes of a stored picture, under the address that `media[].url` gives. They never change under one address, so they may be kept for a year. `HEAD` is answered too.',
    security: 'none',
    parameters: [
      { in: 'path', name: 'id', description: 'id of the picture', schema: { type: 'integer', minimum: 1 }, example: 7 },
      {
        in: 'path',
        name: 'file_name',
        description: 'its own file name, percent-encoded; any other is answered 404',
        schema: { type: 'string' },
        example: 'nb-1204.jpg',
      },
      {
        in: 'header',
        name: 'If-None-Match',
        description: 'an `ETag`; 304 when it is still the one',
        schema: { type: 'string' },
      },
      {
        in: 'header',
        name: 'Range',
        description: 'one range of bytes, like `bytes=0-1023`',
        schema: { type: 'string' },
      },
    ],
    answers: {
      200: { description: 'The picture.', binary: types, headers: ['ETag', 'Cache-Control'] },
      206: { description: 'The range asked for.', binary: types, headers: ['ETag', 'Content-Range'] },
      304: { description: 'Not changed.', headers: ['ETag', 'Cache-Control'] },
      404: refusals.notFound,
      416: { ...refusals.range, headers: ['Content-Range'] },
      503: refusals.unavailable,
      504: refusals.timeout,
    },
  },
]
