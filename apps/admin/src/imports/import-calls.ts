import type { FollowState } from '@partsbus/client/follow-task'
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import type { AnswerOf } from '@partsbus/contracts/http/admin'
import type { AdminImportTask } from '@partsbus/contracts/pricing-import/import-task'
import { useEffect, useState } from 'react'
import { admin } from '../calls/admin-client.js'
import { callKey, useCall } from '../calls/use-call.js'
import { BUSY_EVERY_MS, isFinal } from './poll-import.js'

export type Task = AnswerOf<'GET /import-tasks/:id'>
export type SkippedRow = AnswerOf<'GET /import-tasks/:id/skipped'>['data'][number]

export const PER_PAGE = 50

/** While nothing runs, ms. */
const IDLE_EVERY_MS = 15_000

export interface ImportFilter {
  status: Task['status'][]
  price_list_id: number | undefined
  source_type: Task['source_type'] | undefined
  from?: string | undefined
  to?: string | undefined
  page: number
}

/** @param filter `from` and `to` are instants */
export function useImports(filter: ImportFilter) {
  const queries = useQueryClient()
  const query = {
    ...filter,
    per_page: PER_PAGE,
  }
  const known = queries.getQueryData<AnswerOf<'GET /import-tasks'>>(callKey('GET /import-tasks', undefined, query))
  const isBusy = known?.data.some((task) => !isFinal(task)) ?? false
  return useCall('GET /import-tasks', { query, everyMs: isBusy ? BUSY_EVERY_MS : IDLE_EVERY_MS })
}

/** How the state of an import arrives; `waiting`: it is there, but nothing has changed for a while. */
export type LiveState = FollowState | 'waiting'

/** Without a change for this long the import waits for a service, ms. */
const WAITS_AFTER_MS = 3_000

/** One import: live while it runs and the window is visible. Its counters never go back. */
export function useTask(id: number): { task: UseQueryResult<Task>; live: LiveState } {
  const queries = useQueryClient()
  const [live, setLive] = useState<FollowState>('live')
  const task = useCall('GET /import-tasks/:id', { params: { id } })
  const isVisible = useIsVisible()
  const runs = task.data !== undefined && !isFinal(task.data)
  useEffect(() => {
    if (!runs || !isVisible) return
    const key = callKey('GET /import-tasks/:id', { id })
    const show = (next: AdminImportTask) => {
      queries.setQueryData<Task>(key, (shown) => (shown && isOlder(next as Task, shown) ? shown : (next as Task)))
      if (isFinal(next)) void queries.invalidateQueries({ queryKey: ['GET /import-tasks/:id/skipped'] })
    }
    const stop = admin.follow(id, show, { onState: setLive })
    return () => {
      stop()
      setLive('live')
    }
  }, [id, runs, isVisible, queries])
  const isProcessing = task.data?.status === 'processing'
  const isLate = useIsUnchanged(task.data?.processed_rows, WAITS_AFTER_MS)
  return { task, live: live !== 'reconnecting' && isProcessing && isLate ? 'waiting' : live }
}

/** True once a value has stayed the same for so long. */
function useIsUnchanged(value: unknown, forMs: number): boolean {
  const [unchanged, setUnchanged] = useState<{ value: unknown }>()
  useEffect(() => {
    const timer = setTimeout(() => setUnchanged({ value }), forMs)
    return () => clearTimeout(timer)
  }, [value, forMs])
  return unchanged !== undefined && unchanged.value === value
}

/** A state that was sent before the one that is shown. */
const isOlder = (next: Task, shown: Task): boolean => isFinal(shown) || next.processed_rows < shown.processed_rows

function useIsVisible(): boolean {
  const [isVisible, setIsVisible] = useState(!document.hidden)
  useEffect(() => {
    const changed = () => setIsVisible(!document.hidden)
    document.addEventListener('visibilitychange', changed)
    return () => document.removeEventListener('visibilitychange', changed)
  }, [])
  return isVisible
}

export const staleTasks = ['GET /import-tasks', 'GET /overview', 'GET /price-lists'] as const

/** The names of the lists; more lists than this have no name here, but a number. */
const NAMED_LISTS = 500

export interface NamedList {
  id: number
  name: string
  storage_id: number
  is_active: boolean
}

/** Undefined until they are loaded. */
export function useListNames(): readonly NamedList[] | undefined {
  const lists = useCall('GET /price-lists', { query: { per_page: NAMED_LISTS } })
  // without the names the numbers are of use
  return lists.data?.data ?? (lists.failureReason === null ? undefined : [])
}
