import { type ProcessDocument, ProcessStore } from '../mongo/process-store.js'
import { PROCESSES, type StoredDatabases } from './backup-plan.js'

export interface RunningProcess extends ProcessDocument {
  service: string
  /** the service whose database has the entry, and whose clock its times are of */
  owner: string
}

/** The processes that use the databases now, by the entries that they renew: first those of services. */
export async function listRunning(databases: StoredDatabases): Promise<RunningProcess[]> {
  const all = [...databases.values()]
  const guests = all.flatMap(({ service: owner, db, plan }) =>
    (plan.guests ?? []).map(({ service, collection, lifetimeMs }) =>
      list(new ProcessStore(db, collection, { lifetimeMs }), service, owner),
    ),
  )
  const own = all.map(({ service, db }) => list(new ProcessStore(db, PROCESSES), service, service))
  return (await Promise.all([...own, ...guests])).flat()
}

async function list(store: ProcessStore, service: string, owner: string): Promise<RunningProcess[]> {
  return (await store.listRunning()).map((entry) => ({ ...entry, service, owner }))
}

export function nameServices(processes: readonly RunningProcess[]): string {
  return [...new Set(processes.map(({ service }) => service))].sort().join(', ')
}
