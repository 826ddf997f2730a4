import { refusals } from './error-responses.js'
import type { Operation } from './operation.js'

const types = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const

/** Stored images (admin.md#media). */
export const mediaOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/media/{id}/{file_name}',
    tag: 'Media',
    summary: 'Get an image',
    description:
      'The bytes of a stored image, under its `media[].url`. They never change under one URL, so they may be ' +
      'cached for a year. `HEAD` is supported.',
    security: 'none',
    parameters: [
      { in: 'path', name: 'id', description: 'id of the image', schema: { type: 'integer', minimum: 1 }, example: 7 },
      {
        in: 'path',
        name: 'file_name',
        description: 'file name of the image, percent-encoded; any other name returns 404',
        schema: { type: 'string' },
        example: 'nb-1204.jpg',
      },
      {
        in: 'header',
        name: 'If-None-Match',
        description: 'an `ETag`; returns 304 when it is current',
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
      200: { description: 'The image.', binary: types, headers: ['ETag', 'Cache-Control'] },
      206: { description: 'The requested range.', binary: types, headers: ['ETag', 'Content-Range'] },
      304: { description: 'Not changed.', headers: ['ETag', 'Cache-Control'] },
      404: refusals.notFound,
      416: { ...refusals.range, headers: ['Content-Range'] },
      503: refusals.unavailable,
      504: refusals.timeout,
    },
  },
]
