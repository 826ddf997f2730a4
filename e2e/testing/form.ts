/** One part of a form: a field, or a file if it has a file name. */
export interface FormPart {
  name: string
  value: string | Buffer
  file?: string
}

export const BOUNDARY = 'partsbus-contract'
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

/** The bytes of a form as browsers and curl write them. */
export function formBody(parts: readonly FormPart[], end = `--${BOUNDARY}--\r\n`): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ name, value, file }) => [
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"\r\nContent-Type: application/octet-stream`}\r\n\r\n`,
      ),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(end),
  ])
}

export const field = (name: string, value: string | number): FormPart => ({ name, value: String(value) })
export const file = (value: string | Buffer, name = 'price.csv'): FormPart => ({ name: 'document', file: name, value })
