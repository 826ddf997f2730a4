import { brandSynonym, brandSynonymPatch, listBrandSynonyms, newBrandSynonym } from '../supplier-search/commands.js'
import type { OperationRows } from './operation.js'

export const searchOperations = {
  'GET /brand-synonyms': {
    role: 'viewer',
    status: 200,
    query: listBrandSynonyms.request,
    answer: listBrandSynonyms.reply,
  },
  'POST /brand-synonyms': { role: 'manager', status: 201, body: newBrandSynonym, answer: brandSynonym },
  'GET /brand-synonyms/:id': { role: 'viewer', status: 200, answer: brandSynonym },
  'PATCH /brand-synonyms/:id': { role: 'manager', status: 200, body: brandSynonymPatch, answer: brandSynonym },
  'DELETE /brand-synonyms/:id': { role: 'manager', status: 204 },
} as const satisfies OperationRows
