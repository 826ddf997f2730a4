/*
 * The calls of the admin API, as `METHOD /path` under `/api/admin`. Strings without an import, so that a browser can
 * load this file. What a call takes and answers is in `operations.ts`; a path that is missing in one of the two does not
 * compile.
 */
export const adminPaths = [
  'GET /settings',
  'PATCH /settings',
  'POST /settings/erp-token',
  'DELETE /settings/erp-token',
  'POST /settings/b2b-token',
  'DELETE /settings/b2b-token',
  'GET /audit',

  'GET /pick-up-points',
  'POST /pick-up-points',
  'GET /pick-up-points/:id',
  'PATCH /pick-up-points/:id',
  'DELETE /pick-up-points/:id',
  'GET /storages',
  'POST /storages',
  'GET /storages/:id',
  'PATCH /storages/:id',
  'DELETE /storages/:id',
  'POST /storages/:id/test',

  'GET /brand-synonyms',
  'POST /brand-synonyms',
  'GET /brand-synonyms/:id',
  'PATCH /brand-synonyms/:id',
  'DELETE /brand-synonyms/:id',

  'GET /price-lists',
  'POST /price-lists',
  'GET /price-lists/:id',
  'PATCH /price-lists/:id',
  'DELETE /price-lists/:id',
  'GET /price-lists/:id/versions',
  'POST /price-lists/:id/rollback',
  'POST /price-lists/:id/sources/:source_id/run',
  'POST /price-lists/:id/upload',
  'POST /price-lists/:id/preview',

  'GET /import-tasks',
  'GET /import-tasks/:id',
  'GET /import-tasks/:id/skipped',
  'POST /import-tasks/:id/cancel',
  'POST /import-tasks/:id/retry',
  'GET /import-tasks/:id/events',
  'GET /import-tasks/:id/skipped.csv',
  'GET /import-tasks/:id/file',

  'GET /categories',
  'GET /categories/:id',
  'GET /categories/by-erp-id/*',
  'GET /products',
  'GET /products/:id',
  'GET /products/by-erp-id/*',
  'GET /supplies',
  'PATCH /supplies/:id',
  'GET /media-jobs',
  'POST /media-jobs/:id/retry',
] as const

export type AdminPath = (typeof adminPaths)[number]
