import type { ServiceParts } from '@partsbus/platform/parts'

/** What the service owns, built once. */
export interface SupplierSearchContext {
  parts: ServiceParts
}

export function createContext(parts: ServiceParts): SupplierSearchContext {
  return { parts }
}
