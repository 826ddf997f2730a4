import { type AdminClient, createAdminClient } from '@partsbus/client/admin-client'
import { prefix } from './page-address.js'

/** Options of a call whose path the table of operations does not have yet. */
export interface LooseOptions {
  params?: Record<string, string | number> | undefined
  query?: object | undefined
  body?: unknown
  ifMatch?: string | undefined
  signal?: AbortSignal | undefined
}

type LooseCall = <Answer>(path: string, options?: LooseOptions) => Promise<Answer>

/**
 * Calls of the admin API by the session of the person: `admin('GET /price-lists/:id', { params: { id: 7 } })`. A call
 * that names the type of its answer is not compared with the table of operations.
 */
export const admin = createAdminClient({ baseUrl: prefix }) as AdminClient & LooseCall
