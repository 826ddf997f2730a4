import {
  brandsAnswer,
  importStatusAnswer,
  importStatusRequest,
  partsAnswer,
  pickUpPointsAnswer,
  refusalAnswer,
  uploadAnswer,
  violationsAnswer,
} from '../gateway/answer.js'
import { brandsRequest, findBrands, findParts, partsRequest } from '../supplier-search/commands.js'
import type { Row, Rows } from './row.js'

/** Every call under `/api/b2b` (partners.md). */
export const partnerRows = {
  'POST /get-pick-up-points': {
    name: 'listOfferedPickUpPoints',
    summary: 'List pick-up points',
    answer: pickUpPointsAnswer,
    readsOnly: true,
  },
  'POST /get-brands': {
    name: 'findBrands',
    summary: 'Find the brands of an article',
    command: findBrands,
    body: brandsRequest,
    answer: brandsAnswer,
    answerHeaders: ['X-Suppliers'],
    readsOnly: true,
  },
  'POST /get-parts': {
    name: 'findParts',
    summary: 'Find offers of an article',
    command: findParts,
    body: partsRequest,
    answer: partsAnswer,
    answerHeaders: ['X-Suppliers'],
    readsOnly: true,
  },
  'POST /upload-price-list': {
    name: 'uploadPriceList',
    summary: 'Upload a price list',
    file: 'document',
    answer: uploadAnswer,
    refusals: { 400: refusalAnswer },
  },
  'POST /get-price-list-status': {
    name: 'getImportStatus',
    summary: 'Follow an import',
    body: importStatusRequest,
    answer: importStatusAnswer,
    refusals: { 422: violationsAnswer },
    readsOnly: true,
  },
} as const satisfies Rows<Row>

export type PartnerRows = typeof partnerRows
export type PartnerPath = keyof PartnerRows
