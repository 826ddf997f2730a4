import { messageAnswer, uploadAnswer } from '../gateway/answer.js'
import { pageOf } from '../paging.js'
import * as pricing from '../pricing-import/commands.js'
import {
  liveOffers,
  liveOffersQuery,
  newPriceList,
  offerFilter,
  priceList,
  priceListPatch,
  priceListRow,
  priceListsQuery,
} from '../pricing-import/price-list.js'
import { priceListSource, sourceTest } from '../pricing-import/price-list-source.js'
import { preview, previewAgain, previewedUpload, refusedPreview } from '../pricing-import/preview.js'
import { priceListVersions } from '../pricing-import/price-list-version.js'
import { changeFilter, changesQuery, versionChanges } from '../pricing-import/version-change.js'
import { type AdminRow, type Rows, WORKBOOK_TYPE } from './row.js'

/** A source may be a slow server with a large file. */
const SOURCE_MS = 60_000
/** The first call about two large versions compares them. */
const COMPARISON_MS = 60_000

export const priceListRows = {
  'GET /price-lists': {
    name: 'listPriceLists',
    summary: 'List price lists',
    role: 'viewer',
    query: priceListsQuery,
    answer: pageOf(priceListRow),
    command: pricing.listPriceLists,
  },
  'POST /price-lists': {
    name: 'createPriceList',
    summary: 'Create a price list',
    role: 'manager',
    status: 201,
    isRevised: true,
    body: newPriceList,
    answer: priceList,
  },
  'GET /price-lists/:id': {
    name: 'getPriceList',
    summary: 'Get a price list',
    role: 'viewer',
    isRevised: true,
    answer: priceList,
    command: pricing.getPriceList,
  },
  'PATCH /price-lists/:id': {
    name: 'patchPriceList',
    summary: 'Change a price list',
    role: 'manager',
    isRevised: true,
    body: priceListPatch,
    answer: priceList,
    command: pricing.patchPriceList,
    audit: 'price-list.patch',
    namesStorage: 'storage_id',
  },
  'DELETE /price-lists/:id': {
    name: 'deletePriceList',
    summary: 'Delete a price list',
    role: 'manager',
    status: 204,
    isRevised: true,
    query: pricing.deletePriceList.request.pick({ with_history: true }),
    command: pricing.deletePriceList,
    audit: 'price-list.delete',
  },
  'GET /price-lists/:id/versions': {
    name: 'listVersions',
    summary: 'List the versions of a price list',
    role: 'viewer',
    answer: priceListVersions,
    command: pricing.listVersions,
    answerField: 'versions',
  },
  'GET /price-lists/:id/offers': {
    name: 'listLiveOffers',
    summary: 'List the live offers of a price list',
    role: 'viewer',
    query: liveOffersQuery,
    answer: liveOffers,
    command: pricing.listOffers,
    toAnswer: ({ next: _next, ...page }: { next?: unknown }) => page,
  },
  'GET /price-lists/:id/offers.csv': {
    name: 'exportOffersCsv',
    summary: 'Download the live offers of a price list as CSV',
    role: 'viewer',
    query: offerFilter,
    media: 'text/csv',
  },
  'GET /price-lists/:id/offers.xlsx': {
    name: 'exportOffersXlsx',
    summary: 'Download the live offers of a price list as XLSX',
    role: 'viewer',
    query: offerFilter,
    media: WORKBOOK_TYPE,
  },
  'GET /price-lists/:id/changes': {
    name: 'compareVersions',
    summary: 'Compare two versions of a price list',
    role: 'viewer',
    query: changesQuery,
    answer: versionChanges,
    timeoutMs: COMPARISON_MS,
    waitsForOthers: true,
    command: pricing.compareVersions,
  },
  'GET /price-lists/:id/changes.csv': {
    name: 'exportChangesCsv',
    summary: 'Download the changes between two versions as CSV',
    role: 'viewer',
    query: changeFilter,
    media: 'text/csv',
    timeoutMs: COMPARISON_MS,
  },
  'GET /price-lists/:id/changes.xlsx': {
    name: 'exportChangesXlsx',
    summary: 'Download the changes between two versions as XLSX',
    role: 'viewer',
    query: changeFilter,
    media: WORKBOOK_TYPE,
    timeoutMs: COMPARISON_MS,
  },
  'POST /price-lists/:id/rollback': {
    name: 'rollbackVersion',
    summary: 'Make an older version live',
    role: 'manager',
    body: pricing.rollbackVersion.request.pick({ version: true }).meta({ id: 'Rollback' }),
    isBodyOptional: true,
    answer: priceListVersions,
    command: pricing.rollbackVersion,
    answerField: 'versions',
    audit: 'price-list.rollback',
  },
  'POST /price-lists/:id/sources/test': {
    name: 'testSource',
    summary: 'Test a source of a price list',
    role: 'manager',
    body: priceListSource,
    answer: sourceTest,
    timeoutMs: SOURCE_MS,
    waitsForOthers: true,
    command: pricing.testSource,
    toRequest: ({ params: { id }, body: source }, { administrator }) => ({
      id,
      source,
      ...(administrator.id !== null && { kept_for: administrator.id }),
    }),
    readsOnly: true,
  },
  'POST /price-lists/:id/sources/:source_id/run': {
    name: 'runSource',
    summary: 'Fetch from a source now',
    role: 'manager',
    answer: pricing.runSource.reply,
    timeoutMs: SOURCE_MS,
    waitsForOthers: true,
    command: pricing.runSource,
    audit: 'price-list-source.run',
  },
  'POST /price-lists/:id/upload': {
    name: 'uploadPriceListFile',
    summary: 'Upload a price list',
    role: 'manager',
    file: 'document',
    body: previewedUpload,
    answer: uploadAnswer,
    refusals: { 400: messageAnswer, 409: messageAnswer, 500: messageAnswer },
  },
  'POST /price-lists/:id/preview': {
    name: 'previewPriceList',
    summary: 'Preview a price list',
    role: 'manager',
    file: 'document',
    body: previewAgain,
    answer: preview,
    refusals: { 400: refusedPreview, 409: messageAnswer, 500: messageAnswer },
  },
} as const satisfies Rows<AdminRow>
