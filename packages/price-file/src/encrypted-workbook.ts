import type { FileHandle } from 'node:fs/promises'

/** In the OLE container of a workbook with a password, the name of the stream with the encrypted content. */
const STREAM = Buffer.from('EncryptedPackage', 'utf16le')
const SECTOR_SHIFT_AT = 0x1e
const DIRECTORY_AT = 0x30
const DIRECTORY_BYTES = 4_096

/** @param head the first bytes of an OLE container */
export async function isEncryptedWorkbook(file: FileHandle, head: Buffer): Promise<boolean> {
  if (head.length < DIRECTORY_AT + 4) return false
  const shift = head.readUInt16LE(SECTOR_SHIFT_AT)
  if (shift !== 9 && shift !== 12) return false
  const position = (head.readUInt32LE(DIRECTORY_AT) + 1) * 2 ** shift
  const { bytesRead, buffer } = await file.read(Buffer.alloc(DIRECTORY_BYTES), 0, DIRECTORY_BYTES, position)
  return buffer.subarray(0, bytesRead).includes(STREAM)
}
