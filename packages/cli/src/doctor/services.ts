/** The services with a database. */
export const serviceNames = ['administration', 'catalog', 'stock', 'pricing-import', 'supplier-search'] as const
export type ServiceName = (typeof serviceNames)[number]

/** That of the administration service has the name that it had when the gateway owned it. */
export const defaultDatabase = (service: ServiceName): string =>
  service === 'administration' ? 'partsbus_gateway' : `partsbus_${service.replaceAll('-', '_')}`
