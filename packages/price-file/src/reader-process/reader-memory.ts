const MIB = 1024 ** 2
/** Memory limit of a reader if the machine sets none. */
const MAX_MB = 512
/** A reader starts with 50 MB; below this it could not read a workbook of ordinary size. */
const MIN_MB = 128
/** Buffers and stacks of the service, in addition to its heap. */
const SERVICE_MB = 128

export interface MemoryBudget {
  /** total bytes for the service and its readers, as in `process.constrainedMemory()`; 0 means no limit */
  limit: number
  /** bytes of the service's own heap */
  heap: number
  /** MB that the service takes outside of its heap at most, its threads included */
  othersMb: number
  /** readers that run at a time */
  readers: number
}

/**
 * Memory limit of one reader in MB, so that all readers and the service fit into the limit. If they exceed
 * it, the system kills the whole container.
 * @throws Error when the limit is too small for that many readers
 */
export function readerMemoryMb({ limit, heap, othersMb, readers }: MemoryBudget): number {
  // systems without a limit report one above any machine's memory
  if (limit === 0 || limit > 2 ** 50) return MAX_MB
  const besides = SERVICE_MB + othersMb
  const share = Math.floor(((limit - heap) / MIB - besides) / readers)
  if (share < MIN_MB) {
    const needed = Math.ceil(heap / MIB) + besides + readers * MIN_MB
    throw new Error(
      `a memory limit of ${Math.floor(limit / MIB)} MB is too small for ${readers} readers of files: ` +
        `${needed} MB are needed`,
    )
  }
  return Math.min(MAX_MB, share)
}
