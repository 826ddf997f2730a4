import type { ServiceParts } from '@partsbus/platform/parts'

/** What the service owns, built once. */
export interface PricingImportContext {
  parts: ServiceParts
}

export function createContext(parts: ServiceParts): PricingImportContext {
  return { parts }
}
