export type FileRefusal = 'too-large' | 'document' | 'picture'

const DOCUMENTS = /\.(docx?|docm|odt|rtf|pages|pdf)$/i
const PICTURES = /\.(jpe?g|png|gif|webp|heic|tiff?|bmp)$/i

/** Why the server refused a file, where the page can tell a person what to do; undefined: the server says it. */
export function fileRefusal({ name, size }: Pick<File, 'name' | 'size'>, maxBytes: number | undefined) {
  const reasons: Record<FileRefusal, boolean> = {
    'too-large': maxBytes !== undefined && size > maxBytes,
    document: DOCUMENTS.test(name),
    picture: PICTURES.test(name),
  }
  return (Object.keys(reasons) as FileRefusal[]).find((reason) => reasons[reason])
}
