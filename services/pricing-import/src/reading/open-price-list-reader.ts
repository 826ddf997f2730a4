import type { PriceListReaders } from './out-of-process-reader.js'
import type { PriceListReader } from './price-list-reader.js'

/** Reading a text file of this size takes at most some tenths of a second, in turns, and a few dozen megabytes. */
const MAX_IN_PROCESS_BYTES = 256 * 1024

/**
 * Opens a reader for a file. Files that must be unpacked, and large files, are read in a child process, which can be
 * killed. Starting one takes about 150 ms of processor time, far more than reading a small file.
 * @param folder an empty private folder
 */
export async function openPriceListReader(
  name: string,
  bytes: number,
  folder: string,
  readers: PriceListReaders,
): Promise<PriceListReader> {
  if (bytes <= MAX_IN_PROCESS_BYTES && /\.(?:csv|txt)$/i.test(name.trim())) {
    const { InProcessReader } = await import('./in-process-reader.js')
    return new InProcessReader(folder)
  }
  const { OutOfProcessReader } = await import('./out-of-process-reader.js')
  return OutOfProcessReader.open(readers, name, bytes)
}
