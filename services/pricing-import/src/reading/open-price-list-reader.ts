import type { PriceListReader } from './price-list-reader.js'

/** Text of that size is read within a few dozen milliseconds and megabytes, whatever it contains. */
const MAX_IN_PROCESS_BYTES = 256 * 1024

/**
 * Opens a reader for a file. Everything that has to be unpacked, and every large file, is read in a process of its own,
 * which can be killed. Starting one takes about 150 ms of processor time, far more than a small text file does.
 * @param folder an empty private folder
 * @param memoryMb of the process
 */
export async function openPriceListReader(
  name: string,
  bytes: number,
  folder: string,
  memoryMb?: number,
): Promise<PriceListReader> {
  if (bytes <= MAX_IN_PROCESS_BYTES && /\.(?:csv|txt)$/i.test(name.trim())) {
    const { InProcessReader } = await import('./in-process-reader.js')
    return new InProcessReader(folder)
  }
  const { OutOfProcessReader } = await import('./out-of-process-reader.js')
  return OutOfProcessReader.open(memoryMb)
}
