/**
 * The columns behind the cells of a file of skipped rows (admin.md#skipped-files): the row, the code and the message.
 * `fields` is for programs. Such a file is recognised by them when it is uploaded again.
 */
export const skippedColumns = {
  fields: ['skipped_row', 'skipped_code', 'skipped_message'],
  en: ['Row of the file', 'Kind of error', 'Reason'],
  ru: ['Строка файла', 'Вид ошибки', 'Причина'],
} as const

/** Whether a header is that of a file of skipped rows, in any language. */
export const hasSkippedColumns = (header: readonly string[]): boolean =>
  Object.values(skippedColumns).some((names) => names.every((name) => header.includes(name)))
