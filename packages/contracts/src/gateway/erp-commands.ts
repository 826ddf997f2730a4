import { deactivateCategories, deactivateProducts, upsertCategories, upsertProducts } from '../catalog/commands.js'
import { updatePrices, updateStocks } from '../stock/commands.js'

/**
 * The calls of the ERP API that one command answers, as `METHOD /path` under `/api/erp` (erp.md). The routes of the
 * gateway and the types of the client are made from it.
 */
export const erpCommands = {
  'POST /categories/batch-upsert': upsertCategories,
  'POST /categories/delete': deactivateCategories,
  'POST /products/batch-upsert': upsertProducts,
  'POST /products/delete': deactivateProducts,
  'POST /stocks/batch-update': updateStocks,
  'POST /prices/batch-update': updatePrices,
}
