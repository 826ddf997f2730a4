import { z } from 'zod'
import { dateText, identifier, integer, plainText, requiredText } from '../field.js'
import { adminTaskReply, importTask, sourceTypes, taskStatuses } from './import-task.js'
import { command } from '../message.js'
import { pageOf, pageRequest } from '../paging.js'
import { ifRevisions, revision } from '../revision.js'
import {
  createdPriceList,
  liveOffers,
  liveOffersQuery,
  offerFilter,
  priceList,
  priceListPatch,
  priceListRowReply,
  priceListsQuery,
  fileRow,
  skippedRows,
} from './price-list.js'
import { priceListSource, sourceTest } from './price-list-source.js'
import { priceListVersionReply } from './price-list-version.js'
import { changeFilter, changesQuery, versionChanges } from './version-change.js'
import { mergeOnce, previewDraft, previewedUpload, previewReply } from './preview.js'

const one = z.object({ id: identifier() })
const nothing = z.object({})

export const listPriceLists = command('pricing-import.price-lists.list', {
  request: priceListsQuery,
  reply: pageOf(priceListRowReply),
})
export const getPriceList = command('pricing-import.price-lists.get', {
  request: one,
  reply: priceList.extend(revision),
})
/**
 * The storage must exist, which the stock service confirms, or is created with the list. A list that is refused leaves
 * neither a storage nor a setting behind.
 */
export const createPriceList = command('pricing-import.price-lists.create', {
  request: createdPriceList,
  reply: priceList.extend(revision),
})
export const patchPriceList = command('pricing-import.price-lists.patch', {
  request: one.extend(ifRevisions).extend({ patch: priceListPatch }),
  reply: priceList.extend(revision),
})
/**
 * CONFLICT while an import of it runs or waits. CONFLICT too while it has import tasks, unless `with_history`: then its
 * tasks, versions and files are deleted with it.
 */
export const deletePriceList = command('pricing-import.price-lists.delete', {
  request: one
    .extend(ifRevisions)
    .extend({ with_history: z.boolean().optional().describe('deletes its import tasks, too') }),
  reply: nothing,
})
/** The price lists of a storage, which prevent its deletion. */
export const priceListsOfStorage = command('pricing-import.price-lists.of-storage', {
  request: z.object({ storage_id: identifier() }),
  reply: z.object({ price_lists: z.array(z.object({ id: z.int(), name: z.string() })) }),
})

/** A file in the bucket `uploads` of the bus. */
const uploadedFile = z.object({
  /** name in the bucket */
  object: z.string(),
  file_name: plainText(),
  /** bytes */
  size: integer(0),
})

/** Id of the administrator whose share the file uses while it is kept; absent: the holder of ADMIN_TOKEN. */
const keptFor = identifier().optional()

/** The name of the administrator who acts; absent: a partner does. */
const createdBy = plainText(191).optional()

/**
 * Checks and stores an uploaded file and creates its task. Both are durable when the call returns.
 * NOT_FOUND: no such list · INACTIVE_LIST · INVALID_FILE (the reason in `details.reason`, for the log and the admin) ·
 * STORE_FAILED
 */
export const acceptUpload = command('pricing-import.uploads.accept', {
  request: uploadedFile.extend({ price_list_id: identifier(), mode: mergeOnce.optional(), created_by: createdBy }),
  reply: z.object({ task_id: z.int() }),
})
/** Creates the task of a previewed file. Errors as in {@link acceptUpload}; CONFLICT: the file is no longer there. */
export const acceptPreviewed = command('pricing-import.uploads.accept-previewed', {
  request: z.object({ ...previewedUpload.shape, price_list_id: identifier(), created_by: createdBy }),
  reply: z.object({ task_id: z.int() }),
})
/**
 * Reads an uploaded file like an import, without importing it, and keeps it for an hour. Errors as in
 * {@link acceptUpload}, without INACTIVE_LIST. With a draft, a file whose columns are not found is a reply.
 */
export const previewUpload = command('pricing-import.uploads.preview', {
  request: uploadedFile.extend({ price_list_id: identifier(), draft: previewDraft.optional(), kept_for: keptFor }),
  reply: previewReply,
})
/** The same for a file that is stored already. CONFLICT: it is no longer there. */
export const previewStored = command('pricing-import.uploads.preview-stored', {
  request: z.object({
    price_list_id: identifier(),
    file: z.union([z.object({ preview_id: requiredText() }), z.object({ task_id: identifier() })]),
    draft: previewDraft.optional(),
  }),
  reply: previewReply,
})

export const listVersions = command('pricing-import.versions.list', {
  request: one,
  reply: z.object({ versions: z.array(priceListVersionReply) }),
})
/** CONFLICT when the version is no longer stored, or when there is none before the active one. */
export const rollbackVersion = command('pricing-import.versions.rollback', {
  request: one.extend({ version: integer(1).optional() }),
  reply: z.object({
    versions: z.array(priceListVersionReply),
    replaced: z.int().nullable().optional().describe('the version that was live before; absent from version 0.1'),
  }),
})

/**
 * What differs between two kept versions. CONFLICT: one of them is no longer kept, there is none before `to`, or they
 * are too large. The first call of two versions compares them, which may take as long as their size needs.
 */
export const compareVersions = command('pricing-import.versions.compare', {
  request: one.extend(changesQuery.shape),
  reply: versionChanges,
})

/** The task in the partner API. */
export const getImportStatus = command('pricing-import.tasks.status', { request: one, reply: importTask })
export const listImportTasks = command('pricing-import.tasks.list', {
  request: pageRequest.extend({
    price_list_id: identifier().optional(),
    status: z.enum(taskStatuses).optional(),
    statuses: z.array(z.enum(taskStatuses)).optional().describe('any of them'),
    source_type: z.enum(sourceTypes).optional(),
    /** created at or after `from`, and before `to` */
    from: dateText().optional(),
    to: dateText().optional(),
  }),
  reply: pageOf(adminTaskReply),
})
export const getImportTask = command('pricing-import.tasks.get', { request: one, reply: adminTaskReply })
/** CONFLICT when the task has finished. */
export const cancelImportTask = command('pricing-import.tasks.cancel', { request: one, reply: adminTaskReply })
/** Creates a new task for the same file. CONFLICT when the task has not failed, or when its file was deleted. */
export const retryImportTask = command('pricing-import.tasks.retry', {
  request: one.extend({ created_by: createdBy }),
  reply: adminTaskReply,
})
export const listSkippedRows = command('pricing-import.tasks.skipped', {
  /** `after_row`: only rows after that one, at the same cost for every page; `total` counts all of them */
  request: one.extend(pageRequest.shape).extend({
    after_row: integer(0).optional().describe('rows behind this one, instead of a page number'),
    code: plainText(50).optional().describe('only those with this code'),
    correctable: z
      .boolean()
      .optional()
      .describe('`true`: without repeated headers, headings of groups and duplicates, which need no correction'),
  }),
  reply: skippedRows,
})
/**
 * `header`: the header row with its 1-based number; null while it is unknown or when there is none. `delimiter`: as in
 * the format.
 */
export const describeTaskFile = command('pricing-import.files.describe', {
  request: one,
  reply: z.object({
    file_name: z.string(),
    size: z.int(),
    header: fileRow.nullable().optional(),
    delimiter: z.enum(['auto', ';', '\t', ',', '|']).optional(),
  }),
})
/** Bytes of a task's file, at most 1 MiB per call. The reply is the bytes themselves. */
export const readTaskFile = command('pricing-import.files.read', {
  request: one.extend({ offset: integer(0), length: integer(1) }),
  reply: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
})

/** What a file of rows is written as. */
export const exportFormats = ['csv', 'xlsx'] as const
/** The languages of the pages that ask for an export. */
const exportLanguage = z.enum(['en', 'ru'])
export type ExportLanguage = z.infer<typeof exportLanguage>
const exported = one.extend({
  format: z.enum(exportFormats),
  /** of headings and the file's name; without it they are the names of the fields */
  language: exportLanguage.optional(),
})
/**
 * A file that one process writes as it is read: its bytes come from {@link readExport} of that process. It ends when
 * all were read, when an error occurred, when nobody reads for a minute, and by {@link closeExport}.
 */
const openedExport = z.object({
  process: z.string(),
  export_id: z.string(),
  file_name: z.string(),
  media_type: z.string(),
})
const openExport = z.object({ export_id: z.string() })

/** All live offers of one version. NOT_FOUND: no such list · OVERLOADED: too many exports are open. */
export const exportOffers = command('pricing-import.offers.export', {
  request: exported.extend(offerFilter.shape),
  reply: openedExport,
})
/** All changes between two versions. Errors as in {@link compareVersions} and {@link exportOffers}. */
export const exportChanges = command('pricing-import.versions.export-changes', {
  request: exported.extend(changeFilter.shape),
  reply: openedExport,
})
/** All skipped rows of an import. Errors as in {@link exportOffers}. */
export const exportSkipped = command('pricing-import.tasks.export-skipped', {
  request: exported.extend(listSkippedRows.request.pick({ code: true, correctable: true }).shape),
  reply: openedExport,
})
/**
 * The next bytes of an export, at most 64 KiB; none when it has ended. CONFLICT: the version is no longer kept ·
 * NOT_FOUND: the import was deleted, or the export is not open.
 */
export const readExport = command('pricing-import.exports.read', {
  request: openExport,
  reply: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  ofProcess: true,
})
export const closeExport = command('pricing-import.exports.close', {
  request: openExport,
  reply: nothing,
  ofProcess: true,
})

/** Runs one source of a list now. */
export const runSource = command('pricing-import.sources.run', {
  request: one.extend({ source_id: identifier() }),
  reply: z.object({ task_id: z.int().nullable(), message: z.string() }).meta({ id: 'StartedRun' }),
})

/** Fetches the file of a source that need not be stored, keeps it for an hour, and imports nothing. */
export const testSource = command('pricing-import.sources.test', {
  request: one.extend({ source: priceListSource, kept_for: keptFor }),
  reply: sourceTest,
})

/**
 * Live offers of one list, in the order of their file. A reader of many pages names the `version` of the first one, so
 * that it never sees two, and continues `after` the `next` of the page before. CONFLICT: that version is no longer
 * kept.
 */
export const listOffers = command('pricing-import.offers.list', {
  request: one.extend(liveOffersQuery.shape).extend({
    per_page: integer(1, 5_000).default(50),
    version: integer(1).optional(),
    after: integer(0).optional(),
  }),
  reply: liveOffers.partial({ version_number: true }).extend({ next: z.int().nullable() }),
})
/** Live offers of the active lists of some storages, for the search. Keys as in `article.ts`. */
export const findOffers = command('pricing-import.offers.find', {
  request: z.object({
    storage_ids: z.array(identifier()).max(1_000),
    article_key: z.string(),
    /** absent: all brands */
    brand_keys: z.array(z.string()).max(1_000).optional(),
    /** those with a quantity of 0, too; absent: only those that can be sold */
    with_sold_out: z.boolean().optional(),
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

/** Jobs of the work queue `IMPORTS`, and the bucket of uploaded files (architecture.md#imports). */
export const IMPORT_JOBS_SUBJECT = 'jobs.pricing-import.import'
export const UPLOAD_BUCKET = { name: 'uploads', ttlMs: 3_600_000, maxBytes: 2 * 1024 ** 3 } as const
