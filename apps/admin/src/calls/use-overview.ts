import { useQuery } from '@tanstack/react-query'
import { admin } from './admin-client.js'

/** @param everyMs how often it is read again while the window is visible */
export function useOverview(everyMs: number) {
  return useQuery({
    queryKey: ['GET /overview'],
    queryFn: ({ signal }) => admin('GET /overview', { signal }),
    refetchInterval: everyMs,
  })
}

export const referencesQuery = {
  queryKey: ['GET /references'],
  queryFn: ({ signal }: { signal: AbortSignal }) => admin('GET /references', { signal }),
  retry: false,
} as const

/** Names of storages, price lists and points, and who the owners are. */
export const useReferences = () => useQuery(referencesQuery)

/** Names of the owners, for "ask an owner"; none while they are not known. */
export const useOwners = (): string[] => useReferences().data?.owners ?? []
