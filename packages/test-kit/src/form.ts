/** One part of a form: a field, or a file if it has a file name. */
export interface FormPart {
  name: string
  value: string | Buffer
  file?: string
}

export const BOUNDARY = 'partsbus-test-kit'
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

/** The bytes of a form as browsers and curl write them. */
export function formBody(parts: readonly FormPart[], end = `--${BOUNDARY}--\r\n`): Buffer {
  const pieces = parts.flatMap((part) => [formPartHead(part), Buffer.from(part.value), Buffer.from('\r\n')])
  return Buffer.concat([...pieces, Buffer.from(end)])
}

/** The lines before the value of a part. */
export function formPartHead({ name, file }: Pick<FormPart, 'name' | 'file'>): Buffer {
  const type = file === undefined ? '' : '\r\nContent-Type: application/octet-stream'
  return Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"` +
      `${file === undefined ? '' : `; filename="${file}"`}${type}\r\n\r\n`,
  )
}

export const field = (name: string, value: string | number): FormPart => ({ name, value: String(value) })
export const file = (value: string | Buffer, name = 'price.csv'): FormPart => ({ name: 'document', file: name, value })
