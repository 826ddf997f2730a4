const MIB = 1024 ** 2
/** What a reader may use where the machine sets no limit. */
const MAX_MB = 512
/** A reader starts with 50 MB; below this it could not read a workbook of ordinary size. */
const MIN_MB = 128
/** Buffers and stacks of the service beside its heap. */
const SERVICE_MB = 128

export interface MemoryBudget {
  /** bytes that the service and its readers may use together, as `process.constrainedMemory()`; 0: not limited */
  limit: number
  /** bytes of the service's own heap */
  heap: number
  /** readers that run at a time */
  readers: number
}

/**
 * Memory of one reader, in MB, so that all of them fit into the limit beside the service: where the system runs out of
 * memory, it ends the whole container.
 * @throws Error when the limit is too small for that many readers
 */
export function readerMemoryMb({ limit, heap, readers }: MemoryBudget): number {
  // systems without a limit report one above any machine's memory
  if (limit === 0 || limit > 2 ** 50) return MAX_MB
  const share = Math.floor(((limit - heap) / MIB - SERVICE_MB) / readers)
  if (share < MIN_MB) {
    const needed = Math.ceil(heap / MIB) + SERVICE_MB + readers * MIN_MB
    throw new Error(
      `a memory limit of ${Math.floor(limit / MIB)} MB is too small for ${readers} readers of files: ${needed} MB are needed`,
    )
  }
  return Math.min(MAX_MB, share)
}
