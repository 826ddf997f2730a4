import { hash } from 'node:crypto'
import { AppError } from '@partsbus/contracts/app-error'

/** Revisions that a request may name. */
const MAX_NAMED = 100
const NEVER = -1

/** As it was sent, or as proxies write it that compress the body: weak (nginx), with the coding (Caddy, Apache). */
const TAG = /^\s*(?:W\/)?"(\d{1,15})(?:-(?:gzip|zstd|br|deflate))?"\s*$/

/**
 * The revisions in the `If-Match` of a change (admin.md#revisions); undefined without the header, or with `*`. An
 * entity tag that is not a revision matches nothing.
 */
export function readIfMatch(header: string | undefined): number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  return header
    .split(',', MAX_NAMED)
    .map((tag) => Number(TAG.exec(tag)?.[1] ?? NEVER))
    .filter((revision) => revision !== NEVER)
}

export function entityTag(revision: number): string {
  return `"${revision}"`
}

/** The entity tag of an answer without a revision. */
export function digestTag(answer: unknown): string {
  return `"${hash('sha256', JSON.stringify(answer), 'base64url').slice(0, 27)}"`
}

/** A reply of a service without its revision, which is a header of the response. */
export function splitRevision(reply: unknown): { body: unknown; revision: number | undefined } {
  if (typeof reply !== 'object' || reply === null || !('revision' in reply)) return { body: reply, revision: undefined }
  const { revision, ...body } = reply as { revision?: unknown }
  return { body, revision: typeof revision === 'number' ? revision : undefined }
}

/** The 412 of a service as the response has it: `current` without the revision. */
export function hideRevision(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'CHANGED') return error
  const { body, revision } = splitRevision((error.details as { current?: unknown } | undefined)?.current)
  return new AppError('CHANGED', error.message, {
    details: { current: body, ...(revision !== undefined && { etag: entityTag(revision) }) },
  })
}
