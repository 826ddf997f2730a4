import { useReferences } from '../overview/use-overview.js'

/** Names of the owners, for "ask an owner"; none while they are not known. */
export const useOwners = (): string[] => useReferences().data?.owners ?? []
