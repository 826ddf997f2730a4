import { brandSynonym, brandSynonymPatch, listBrandSynonyms, newBrandSynonym } from '../supplier-search/commands.js'
import type { OperationRows } from './operation.js'

export const searchOperations = {
  'GET /brand-synonyms': {
    role: 'viewer',
    status: 200,
    query: listBrandSynonyms.request,
    answer: listBrandSynonyms.reply,
  },
  'POST /brand-synonyms': {
    role: 'manager',
    status: 201,
    isRevised: true,
    body: newBrandSynonym,
    answer: brandSynonym,
  },
  'GET /brand-synonyms/:id': { role: 'viewer', status: 200, isRevised: true, answer: brandSynonym },
  'PATCH /brand-synonyms/:id': {
    role: 'manager',
    status: 200,
    isRevised: true,
    body: brandSynonymPatch,
    answer: brandSynonym,
  },
  'DELETE /brand-synonyms/:id': { role: 'manager', status: 204, isRevised: true },
} as const satisfies OperationRows
