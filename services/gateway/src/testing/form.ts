/** One part of a form: a field, or a file where it has a name. */
export interface FormPart {
  name: string
  value: string | Buffer
  file?: string
}

export const BOUNDARY = 'x-partsbus-test'
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

/** The bytes of a form, as browsers and curl write them. */
export function formBody(parts: readonly FormPart[], end = `--${BOUNDARY}--\r\n`): Buffer {
  const pieces = parts.flatMap((part) => [formPartHead(part), Buffer.from(part.value), Buffer.from('\r\n')])
  return Buffer.concat([...pieces, Buffer.from(end)])
}

export function formPartHead({ name, file }: Pick<FormPart, 'name' | 'file'>): Buffer {
  const type = file === undefined ? '' : '\r\nContent-Type: text/csv'
  return Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}${type}\r\n\r\n`,
  )
}
