import { useQuery } from '@tanstack/react-query'
import { admin } from '../shell/admin-client.js'

/** Names of the owners, for "ask an owner"; none while they are not known. */
export function useOwners(): string[] {
  const { data } = useQuery({
    queryKey: ['GET /references'],
    queryFn: ({ signal }) => admin<{ owners: string[] }>('GET /references', { signal }),
    retry: false,
  })
  return data?.owners ?? []
}
