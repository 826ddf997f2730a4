import { GATEWAY_LIFETIME_MS } from '@partsbus/contracts/administration/settings-commands'
import { type ProcessDocument, ProcessStore } from '@partsbus/platform/mongo/process-store'
import type { Databases } from './open-databases.js'
import type { ServiceName } from '@partsbus/contracts/diagnosis'

export interface RunningProcess extends ProcessDocument {
  service: ServiceName | 'gateway'
}

/** The processes of all services that run now, by the entries that they renew. */
export async function listRunning({ of }: Databases): Promise<RunningProcess[]> {
  const found = [...of].map(async ([service, db]) =>
    (await new ProcessStore(db, 'processes').listRunning()).map((entry) => ({ ...entry, service })),
  )
  return (await Promise.all([...found, listGateways({ of })])).flat()
}

/** Gateways have no database: their entries are written for them. */
async function listGateways({ of }: Pick<Databases, 'of'>): Promise<RunningProcess[]> {
  const db = of.get('administration')
  if (!db) return []
  const gateways = new ProcessStore(db, 'gateways', { lifetimeMs: GATEWAY_LIFETIME_MS })
  return (await gateways.listRunning()).map((entry) => ({ ...entry, service: 'gateway' as const }))
}

export function nameServices(processes: readonly RunningProcess[]): string {
  return [...new Set(processes.map(({ service }) => service))].sort().join(', ')
}
