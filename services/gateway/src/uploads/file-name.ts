/** Longer ones lose their beginning: the extension at the end decides how a file is read. */
const MAX_LENGTH = 255

/** The name of an uploaded file as it is kept: no folders, no control characters, at most 255 characters. */
export function keptFileName(sent: string): string {
  const name = sent.toWellFormed().split(/[\\/]/).at(-1) ?? ''
  const clean = name.replace(/\p{Cc}/gu, '_').trim()
  return [...clean].slice(-MAX_LENGTH).join('')
}
