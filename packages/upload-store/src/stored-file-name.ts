/** Longer names are cut at the beginning, because the extension at the end determines how a file is read. */
const MAX_LENGTH = 255

/** The name under which an uploaded file is stored: no folders, no control characters, at most 255 characters. */
export function storedFileName(sent: string): string {
  const name = sent.toWellFormed().split(/[\\/]/).at(-1) ?? ''
  const clean = name.replace(/\p{Cc}/gu, '_').trim()
  return [...clean].slice(-MAX_LENGTH).join('')
}
