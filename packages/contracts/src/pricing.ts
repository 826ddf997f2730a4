import { z } from 'zod'
import { identifier, integer, plainText } from './field.js'
import { adminImportTask, importTask } from './import-task.js'
import { command } from './message.js'
import { pageOf, pageRequest } from './paging.js'
import { newPriceList, preview, priceList, priceListPatch, priceListVersion, skippedRow } from './price-list.js'

const one = z.object({ id: identifier() })
const nothing = z.object({})

export const listPriceLists = command('pricing-import.price-lists.list', {
  request: pageRequest,
  reply: pageOf(priceList),
})
export const getPriceList = command('pricing-import.price-lists.get', { request: one, reply: priceList })
/** The storage must exist: asked of its owner. */
export const createPriceList = command('pricing-import.price-lists.create', { request: newPriceList, reply: priceList })
export const patchPriceList = command('pricing-import.price-lists.patch', {
  request: one.extend({ patch: priceListPatch }),
  reply: priceList,
})
/**
 * CONFLICT while an import of it runs or waits. CONFLICT too while it has import tasks, unless `with_history`: then its
 * tasks, versions and files are deleted with it.
 */
export const deletePriceList = command('pricing-import.price-lists.delete', {
  request: one.extend({ with_history: z.boolean().optional() }),
  reply: nothing,
})
/** Names of price lists that belong to a storage, so that it is not deleted under them. */
export const priceListsOfStorage = command('pricing-import.price-lists.of-storage', {
  request: z.object({ storage_id: identifier() }),
  reply: z.object({ price_lists: z.array(z.object({ id: z.int(), name: z.string() })) }),
})

/** A file that lies in the bucket `uploads` of the bus. */
const uploadedFile = z.object({
  /** name in the bucket */
  object: z.string(),
  file_name: plainText(),
  /** bytes */
  size: integer(0),
})

/**
 * Takes an uploaded file over: checks it, keeps it, makes the task. When it answers, both are durable.
 * NOT_FOUND: no such list · INACTIVE_LIST · INVALID_FILE (the reason in `details.reason`, for the log and the admin) · STORE_FAILED
 */
export const acceptUpload = command('pricing-import.uploads.accept', {
  request: uploadedFile.extend({ price_list_id: identifier() }),
  reply: z.object({ task_id: z.int() }),
})
/** Reads an uploaded file as an import would, and imports nothing. Errors as in {@link acceptUpload}, without INACTIVE_LIST. */
export const previewUpload = command('pricing-import.uploads.preview', {
  request: uploadedFile.extend({ price_list_id: identifier() }),
  reply: preview,
})

export const listVersions = command('pricing-import.versions.list', {
  request: one,
  reply: z.object({ versions: z.array(priceListVersion) }),
})
/** CONFLICT when that version is no longer kept, or there is none before the active one. */
export const rollbackVersion = command('pricing-import.versions.rollback', {
  request: one.extend({ version: integer(1).optional() }),
  reply: z.object({ versions: z.array(priceListVersion) }),
})

/** The task as partners see it; NOT_FOUND when there is none. */
export const getImportStatus = command('pricing-import.tasks.status', { request: one, reply: importTask })
export const listImportTasks = command('pricing-import.tasks.list', {
  request: pageRequest.extend({
    price_list_id: identifier().optional(),
    status: z.enum(['pending', 'processing', 'completed', 'failed']).optional(),
  }),
  reply: pageOf(adminImportTask),
})
export const getImportTask = command('pricing-import.tasks.get', { request: one, reply: adminImportTask })
/** CONFLICT when the task has ended. */
export const cancelImportTask = command('pricing-import.tasks.cancel', { request: one, reply: adminImportTask })
/** Makes a new task of the same file. CONFLICT when the task has not failed, or its file is gone. */
export const retryImportTask = command('pricing-import.tasks.retry', { request: one, reply: adminImportTask })
export const listSkippedRows = command('pricing-import.tasks.skipped', {
  /** `after_row`: only rows behind that one of the file; `total` then counts those of the reply alone, so that reading all of many is cheap */
  request: one.extend(pageRequest.shape).extend({ after_row: integer(0).optional() }),
  reply: pageOf(skippedRow),
})
/** `header`: its header row, with its 1-based place; null while that is not known, or when there is none. `delimiter`: what texts of its list are read with. */
export const describeTaskFile = command('pricing-import.files.describe', {
  request: one,
  reply: z.object({
    file_name: z.string(),
    size: z.int(),
    header: z
      .object({ row: z.int(), cells: z.array(z.string()) })
      .nullable()
      .optional(),
    delimiter: z.enum(['auto', ';', '\t', ',', '|']).optional(),
  }),
})
/** Bytes of a task's file, at most 1 MiB a call. The reply is the bytes themselves. */
export const readTaskFile = command('pricing-import.files.read', {
  request: one.extend({ offset: integer(0), length: integer(1) }),
  reply: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
})
/** Runs one source of a list now. */
export const runSource = command('pricing-import.sources.run', {
  request: one.extend({ source_id: identifier() }),
  reply: z.object({ task_id: z.int().nullable(), message: z.string() }),
})

/** Live offers of the active lists of some storages, for the search. Keys as `article.ts` makes them. */
export const findOffers = command('pricing-import.offers.find', {
  request: z.object({
    storage_ids: z.array(identifier()).max(1_000),
    article_key: z.string(),
    /** absent: all brands */
    brand_keys: z.array(z.string()).max(1_000).optional(),
  }),
  reply: z.object({
    offers: z.array(
      z.object({
        storage_id: z.int(),
        brand: z.string(),
        article: z.string(),
        name: z.string(),
        quantity: z.int(),
        price: z.number().nullable(),
        delivery_days: z.int().nullable(),
      }),
    ),
    is_cut: z.boolean().optional().describe('true: there are more'),
  }),
})

/** Jobs of the work queue `IMPORTS` and the bucket of fresh uploads (architecture.md#imports). */
export const IMPORT_JOBS_SUBJECT = 'jobs.pricing-import.import'
export const UPLOAD_BUCKET = { name: 'uploads', ttlMs: 3_600_000, maxBytes: 2 * 1024 ** 3 } as const
