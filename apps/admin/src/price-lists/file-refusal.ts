export type FileRefusal = 'too-large' | 'document' | 'picture'

const DOCUMENTS = /\.(docx?|docm|odt|rtf|pages|pdf)$/i
const PICTURES = /\.(jpe?g|png|gif|webp|heic|tiff?|bmp)$/i

/** What begins with these bytes, whatever its name is. */
const CONTENTS: readonly (readonly [FileRefusal, readonly number[]])[] = [
  ['picture', [0x89, 0x50, 0x4e, 0x47]],
  ['picture', [0xff, 0xd8, 0xff]],
  ['picture', [0x47, 0x49, 0x46, 0x38]],
  ['document', [0x25, 0x50, 0x44, 0x46]],
]
/** Enough of a file to know it. */
export const HEAD_BYTES = 4

/**
 * Why the server refused a file, where the page can tell a person what to do; undefined: the server says it.
 * @param head its first bytes
 */
export function fileRefusal(
  { name, size }: Pick<File, 'name' | 'size'>,
  { maxBytes, head }: { maxBytes: number | undefined; head: Uint8Array },
): FileRefusal | undefined {
  if (maxBytes !== undefined && size > maxBytes) return 'too-large'
  if (DOCUMENTS.test(name)) return 'document'
  if (PICTURES.test(name)) return 'picture'
  return CONTENTS.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte))?.[0]
}
