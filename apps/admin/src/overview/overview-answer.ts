/** Answer of `GET /overview`. A part that did not answer in time is null. */
export interface Overview {
  at: string
  version: string
  services: { name: string; state: 'up' | 'slow' | 'away'; ms: number | null }[]
  problems: Problem[]
  imports: {
    pending: number
    processing: number
    oldest_pending_at: string | null
    day: { completed: number; failed: number; rows: number; imported: number; skipped: number }
    last: LastImport[]
  } | null
  sources: { active: number; failing: FailingSource[] } | null
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

export interface Problem {
  code: string
  severity: 'error' | 'warning'
  since: string | null
  params: Record<string, unknown>
  count: number
}

export interface LastImport {
  id: number
  status: string
  price_list_id: number | null
  file_name: string | null
  created_at?: string
  completed_at: string | null
  total_rows?: number
  processed_rows?: number
  failed_rows?: number
}

export interface FailingSource {
  price_list_id: number
  price_list_name: string
  source_id: string
  kind: string
  since: string
  message: string
}

export interface Supplier {
  storage_id: number
  name: string
  kind: string
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
  requests: number
  refused: number
  failed: number
}
