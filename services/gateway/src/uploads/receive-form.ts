import type { IncomingMessage, ServerResponse } from 'node:http'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { AppError, texts } from '@partsbus/contracts/app-error'
import { MAX_DRAFT_BYTES } from '@partsbus/contracts/pricing-import/preview'
import { announcesBody } from '@partsbus/http-guard/discard-body'
import { sendContinue } from '@partsbus/http-guard/expect-continue'
import { invalidFile } from './invalid-file.js'
import { storeDocument, type StoredDocument, type Storing } from '@partsbus/upload-store/store-document'
import { storedFileName } from '@partsbus/upload-store/stored-file-name'
import type { UploadWriter } from '@partsbus/upload-store/upload-writer'

/** A form with a price list, whose document is in the upload store. */
export interface ReceivedForm {
  /** the field `id` as it was sent; the last one counts */
  id: string | undefined
  /** the field `draft`, of an administrator's preview */
  draft: { text: string; isCut: boolean } | undefined
  /** the field `mode`, of an administrator's upload */
  mode: string | undefined
  /** files that were sent as `document` */
  documents: number
  /** the first of them */
  document: (StoredDocument & { file_name: string }) | undefined
}

interface SentForm {
  raw: IncomingMessage
  sentMediaType: string | undefined
}

/** The size of a form without its document (partners.md#upload-2). */
const OVERHEAD_BYTES = 1024 * 1024
/** `fieldSize` is the bytes of one field; the others are shorter than a draft. */
const LIMITS = { parts: 1_000, fieldSize: MAX_DRAFT_BYTES, headerSize: 16 * 1024 }
const noFields = { id: undefined, draft: undefined, mode: undefined }
/** Time limit for the parser after the last byte of the form has arrived. */
const FINISH_MS = 30_000

const FORM_TYPE = /^multipart\/form-data[ \t]*(;|$)/i
const BOUNDARY = /;[ \t]*boundary="?[^\s";]/i

/**
 * Reads a form and streams its document to the upload store. Parts may arrive in any order; unknown parts are
 * discarded.
 * @param maxFileSize bytes of a document; a larger one is not stored, but its form is read to the end
 * @param signal aborts with the AppError to throw
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, MALFORMED (no boundary, incomplete, invalid), INVALID_FILE when the form
 *   exceeds the limit by more than 1 MiB. The document of a rejected form is deleted.
 */
export async function receiveForm(
  request: SentForm,
  reply: { raw: ServerResponse },
  uploads: UploadWriter,
  maxFileSize: number,
  signal: AbortSignal,
): Promise<ReceivedForm> {
  const { raw, sentMediaType } = request
  // some clients send no body for a form without fields
  if (sentMediaType === undefined && !announcesBody(raw)) return { ...noFields, documents: 0, document: undefined }
  const limit = maxFileSize + OVERHEAD_BYTES
  const parser = openParser(request)
  if (Number(raw.headers['content-length'] ?? 0) > limit) throw formTooLarge(limit)
  const form: Omit<ReceivedForm, 'document'> = { ...noFields, documents: 0 }
  let storing: (Storing & { file_name: string }) | undefined
  parser.on('field', (name, value, _nameCut, valueCut) => {
    if (name === 'id') form.id = valueCut ? `${value}…` : value
    if (name === 'draft') form.draft = { text: value, isCut: valueCut }
    if (name === 'mode') form.mode = value
  })
  parser.on('file', (name, file, sentName) => {
    // browsers send a file without a name when none was chosen
    if (name !== 'document' || sentName === '' || (form.documents += 1) > 1) {
      file.on('error', () => undefined).resume()
      return
    }
    storing = { ...storeDocument(file, uploads, maxFileSize), file_name: storedFileName(sentName) }
  })
  try {
    sendContinue(raw, reply.raw)
    await readAll(raw, parser, limit, signal)
  } catch (error) {
    storing?.abort(error as Error)
    void storing?.done.then((stored) => {
      if (stored.kind === 'stored') uploads.drop(stored.object)
    })
    throw error
  }
  return { ...form, document: storing && { ...(await storing.done), file_name: storing.file_name } }
}

function openParser({ raw, sentMediaType }: SentForm): BusboyInstance {
  const encoding = raw.headers['content-encoding']
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', texts.encoding)
  }
  const type = sentMediaType?.trim() ?? ''
  if (!FORM_TYPE.test(type)) throw new AppError('UNSUPPORTED_MEDIA_TYPE', texts.formType)
  if (!BOUNDARY.test(type)) throw malformed()
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: LIMITS,
      isPartAFile: (_name, _type, fileName) => fileName !== undefined,
    })
  } catch {
    // an invalid boundary
    throw malformed()
  }
}

/** Resolves when the parser has reached the end of the form and all parts were read. */
function readAll(raw: IncomingMessage, parser: BusboyInstance, limit: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    let arrived = 0
    let timer: NodeJS.Timeout | undefined
    const stop = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      raw.off('data', count).off('end', ended).off('close', cut).off('error', cut)
    }
    const refuse = (error: AppError): void => {
      stop()
      raw.unpipe(parser)
      // the parser may emit more errors, which would be unhandled
      parser.on('error', () => undefined)
      // unpipe paused the request; the response handler decides how much of the rest is discarded
      raw.resume()
      fail(error)
    }
    const count = (chunk: Buffer): void => {
      arrived += chunk.length
      if (arrived > limit) refuse(formTooLarge(limit))
    }
    const cut = (): void => refuse(malformed())
    const abort = (): void => refuse(signal.reason as AppError)
    signal.addEventListener('abort', abort)
    const ended = (): void => {
      timer = setTimeout(cut, FINISH_MS)
    }
    parser.on('finish', () => {
      stop()
      done()
    })
    parser.on('error', cut)
    parser.on('partsLimit', cut)
    raw
      .on('data', count)
      .on('end', ended)
      .on('close', () => {
        if (!raw.complete) cut()
      })
      .on('error', cut)
    raw.pipe(parser)
    if (raw.destroyed) cut()
  })
}

function malformed(): AppError {
  return new AppError('MALFORMED', 'The request body is not a valid multipart form.')
}

function formTooLarge(limit: number): AppError {
  return invalidFile(`The form is larger than ${limit} bytes (setting price-lists.import.max_file_size).`)
}
