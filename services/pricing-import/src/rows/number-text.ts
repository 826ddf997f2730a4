/** What divides the whole part from the decimals. */
export type DecimalMark = ',' | '.'

const groupSpaces = /^(\d{1,3})((?:[\s'’]\d{3})+)(?=[.,]|$)/

/** Takes white space (of any width) and apostrophes out of `1 234 567,5` where they divide thousands; elsewhere they stay. */
export function withoutGroupSpaces(text: string): string {
  return text.replace(groupSpaces, (_, head: string, groups: string) => head + groups.replace(/[\s'’]/g, ''))
}

/**
 * What a number tells about the decimal mark of its column: the last of two different marks (`1,234.50`), or one that
 * three digits do not follow (`12,5`). `1,234` alone tells nothing.
 */
export function markOf(text: string): DecimalMark | undefined {
  const [, last, decimals = ''] = /([.,])(\d+)\D*$/.exec(text) ?? []
  if (last === undefined) return undefined
  const other = last === ',' ? '.' : ','
  const isAlone = text.split(last).length === 2
  if (!isAlone) return undefined
  return text.includes(other) || decimals.length !== 3 ? (last as DecimalMark) : undefined
}

/**
 * Reads digits with marks of decimals and thousands. `1,234` is 1234 unless `mark` says that the comma divides decimals;
 * `1.234` is 1.234 unless it says that the comma does.
 * @returns undefined when it is no number
 */
export function readNumber(text: string, mark?: DecimalMark): number | undefined {
  const digits = withoutGroupSpaces(text)
  if (!/^\d*[.,\d]*\d$/.test(digits)) return undefined
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
