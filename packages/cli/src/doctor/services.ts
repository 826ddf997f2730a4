export const serviceNames = ['gateway', 'catalog', 'stock', 'pricing-import', 'supplier-search'] as const
export type ServiceName = (typeof serviceNames)[number]

export const defaultDatabase = (service: ServiceName): string => `partsbus_${service.replaceAll('-', '_')}`
