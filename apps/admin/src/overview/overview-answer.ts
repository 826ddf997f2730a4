import type { AdminImportTask } from '@partsbus/contracts/pricing-import/import-task'

/** Answer of `GET /overview`. A part that did not answer in time is null. */
export interface Overview {
  at: string
  version: string
  services: ServiceState[]
  problems: Problem[]
  imports: Imports | null
  sources: { active: number; failing: { price_list_id: number }[] } | null
  catalog: {
    products: number
    deleted: number
    categories: number
    pictures_pending: number
    pictures_failed: number
    last_batch_at: string | null
  } | null
  stock: { supplies: number; storages: number; pick_up_points: number; last_update_at: string | null } | null
  suppliers: Supplier[] | null
  doors: { erp: Door; b2b: Door }
}

export interface ServiceState {
  name: string
  state: 'up' | 'slow' | 'away'
  ms: number | null
}

export interface Problem {
  code: string
  severity: 'error' | 'warning'
  since: string | null
  params: Record<string, unknown>
  count: number
}

export interface Imports {
  pending: number
  processing: number
  oldest_pending_at: string | null
  day: { completed: number; failed: number; rows: number; imported: number; skipped: number }
  last: AdminImportTask[]
}

export interface Supplier {
  storage_id: number
  name: string
  state: 'ok' | 'slow' | 'cut-off' | 'failing' | 'quiet'
  asked: number
  failed: number
  p95_ms: number | null
  last_error: string | null
  last_ok_at: string | null
}

export interface Door {
  is_enabled: boolean
  is_ready: boolean
  last_call_at: string | null
  requests: number | null
  refused: number | null
  failed: number | null
}

/** Answer of `GET /references`. */
export interface References {
  storages: { id: number; name: string; kind: string; is_active: boolean }[]
  price_lists: { id: number; name: string; storage_id: number; is_active: boolean; last_file_name: string | null }[]
  pick_up_points: { id: number; name: string; is_active: boolean }[]
  owners: string[]
}
