/** The character between the whole part and the decimals. */
export type DecimalMark = ',' | '.'

const groupSpaces = /^(\d{1,3})((?:[\s'’]\d{3})+)(?=[.,]|$)/

/** Removes white space and apostrophes that separate thousands, as in `1 234 567,5`. Others are not removed. */
export function withoutGroupSpaces(text: string): string {
  return text.replace(groupSpaces, (_, head: string, groups: string) => head + groups.replace(/[\s'’]/g, ''))
}

/**
 * The decimal mark that a number implies for its column: the last of two different marks (`1,234.50`), or a mark that
 * is not followed by three digits (`12,5`). `1,234` alone is ambiguous.
 */
export function findMark(text: string): DecimalMark | undefined {
  const [, last, decimals = ''] = /([.,])(\d+)\D*$/.exec(text) ?? []
  if (last === undefined) return undefined
  const other = last === ',' ? '.' : ','
  const isAlone = text.split(last).length === 2
  if (!isAlone) return undefined
  return text.includes(other) || decimals.length !== 3 ? (last as DecimalMark) : undefined
}

/**
 * Reads digits with decimal marks and thousands separators. `1,234` is 1234 unless `mark` is a comma; `1.234` is 1.234
 * unless `mark` is a comma.
 * @returns undefined when the text is not a number
 */
export function readNumber(text: string, mark?: DecimalMark): number | undefined {
  const digits = withoutGroupSpaces(text)
  if (!/^[.,\d]*$/.test(digits) || !/\d$/.test(digits)) return undefined
  const last = digits.match(/[.,](?=[^.,]*$)/)?.[0]
  if (last === undefined) return Number(digits)
  const cut = digits.lastIndexOf(last)
  const head = digits.slice(0, cut)
  const tail = digits.slice(cut + 1)
  const other = last === ',' ? '.' : ','
  if (head.includes(other)) return isGrouped(head, other) ? Number(`${ungrouped(head)}.${tail}`) : undefined
  if (head.includes(last)) return isGrouped(digits, last) ? Number(ungrouped(digits)) : undefined
  const mayBeThousands = tail.length === 3 && /^[1-9]\d{0,2}$/.test(head)
  const isThousands = mayBeThousands && (mark === undefined ? last === ',' : mark !== last)
  return Number(isThousands ? head + tail : `${head || '0'}.${tail}`)
}

function isGrouped(text: string, mark: string): boolean {
  const [head = '', ...groups] = text.split(mark)
  return /^\d{1,3}$/.test(head) && groups.every((group) => /^\d{3}$/.test(group))
}

function ungrouped(text: string): string {
  return text.replace(/[.,]/g, '')
}
