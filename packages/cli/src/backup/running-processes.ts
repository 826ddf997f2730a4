import { type ProcessDocument, ProcessStore } from '@partsbus/platform/mongo/process-store'
import type { Databases } from '../doctor/open-databases.js'
import type { ServiceName } from '../doctor/services.js'

/** Where the processes of a service keep their entries. */
export const processCollection = (service: ServiceName): string => (service === 'gateway' ? 'gateways' : 'processes')

export interface RunningProcess extends ProcessDocument {
  service: ServiceName
}

/** The processes of all services that run now, by the entries that they renew. */
export async function listRunning({ of }: Databases): Promise<RunningProcess[]> {
  const found = await Promise.all(
    [...of].map(async ([service, db]) =>
      (await new ProcessStore(db, processCollection(service)).listRunning()).map((entry) => ({ ...entry, service })),
    ),
  )
  return found.flat()
}

export function nameServices(processes: readonly RunningProcess[]): string {
  return [...new Set(processes.map(({ service }) => service))].sort().join(', ')
}
