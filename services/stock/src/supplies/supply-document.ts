import type { Supply } from '@partsbus/contracts/stock/stock-item'

export interface SupplyDocument extends Omit<Supply, 'supply_date'> {
  /** `<product_id>:<pick_up_point_id>:<storage_id>` */
  _id: string
  product_erp_id: string
  supply_date: Date
  /** rises with each write of the ERP; absent in supplies that were written before it was introduced */
  revision?: number
  /** rises with each change by an administrator and of prices by the ERP; absent before the first */
  edits?: number
  updated_at: Date
}
