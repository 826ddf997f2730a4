import type { ZodOpenApiOperationObject } from 'zod-openapi'
import { notFound, type Statuses, timeout, unavailable } from './statuses.js'

/** Stored images (admin.md#media). */
export const mediaPath = '/media/{id}/{file_name}'

const types = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']
const text = { type: 'string' as const }

const statuses: Statuses = {
  200: { description: 'The image.', headers: ['ETag', 'Cache-Control'] },
  206: { description: 'The requested range.', headers: ['ETag', 'Content-Range'] },
  304: { description: 'Not changed.', headers: ['ETag', 'Cache-Control'] },
  404: notFound,
  416: {
    description: 'The range is outside of the image.',
    messages: ['The range is not satisfiable.'],
    headers: ['Content-Range'],
  },
  503: unavailable,
  504: timeout,
}

export function mediaOperation(
  toResponses: (statuses: Statuses) => ZodOpenApiOperationObject['responses'],
): ZodOpenApiOperationObject {
  const responses = { ...toResponses(statuses) }
  const content = Object.fromEntries(types.map((type) => [type, {}]))
  for (const status of ['200', '206'] as const)
    responses[status] = { ...(responses[status] as object), content } as never
  return {
    operationId: 'getImage',
    tags: ['Media'],
    summary: 'Get an image',
    description:
      'The bytes of a stored image, under its `media[].url`. They never change under one URL, so they may be ' +
      'cached for a year. `HEAD` is supported.',
    security: [],
    parameters: [
      {
        in: 'path',
        name: 'id',
        required: true,
        description: 'id of the image',
        schema: { type: 'integer', format: 'int64', minimum: 1 },
        example: 7,
      },
      {
        in: 'path',
        name: 'file_name',
        required: true,
        description: 'file name of the image, percent-encoded; any other name returns 404',
        schema: text,
        example: 'nb-1204.jpg',
      },
      {
        in: 'header',
        name: 'If-None-Match',
        description: 'an `ETag`; returns 304 when it is current',
        schema: text,
      },
      { in: 'header', name: 'Range', description: 'one range of bytes, like `bytes=0-1023`', schema: text },
    ],
    responses,
  }
}
