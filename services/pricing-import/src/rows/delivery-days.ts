const words = new Map<string, number>([
  ['сегодня', 0], ['в наличии', 0], ['на складе', 0], ['есть', 0], ['склад', 0], ['today', 0], ['in stock', 0], ['завтра', 1], ['tomorrow', 1],
])

const dayUnit = '(?:дн(?:\\.|я|ей|ень)?|день|дня|дней|сут(?:\\.|ки|ок)?|раб(?:\\.|очих)?\\s*дн(?:\\.|я|ей)?|д\\.?|days?|d)'
const weekUnit = '(?:нед(?:\\.|ел[яиью])?|недель|weeks?|w)'
const hourUnit = '(?:час(?:а|ов)?|ч\\.?|hours?|h)'
const shape = new RegExp(`^(?:~|≈|до|от|up to|around)?\\s*(\\d{1,5})(?:[.,]0+)?(?:\\s*(?:-|–|—|\\.\\.|до|to|/)\\s*(\\d{1,5}))?\\s*(?:(${dayUnit})|(${weekUnit})|(${hourUnit}))?$`, 'u')
const none = /^[-–—]*$/

const MAX_DAYS = 3_650

/**
 * Reads days of delivery like `3`, `2-3` (the larger), `5 дней`, `1-2 недели`, `24 ч`.
 * @returns null when there are none, undefined when they are not understood
 */
export function readDeliveryDays(cell: string): number | null | undefined {
  const text = cell.trim().toLowerCase().replace(/\s+/g, ' ')
  if (none.test(text)) return null
  const word = words.get(text)
  if (word !== undefined) return word
  const match = shape.exec(text)
  if (!match) return undefined
  const [, from, to, , weeks, hours] = match
  const larger = Math.max(Number(from), Number(to ?? from))
  const days = weeks !== undefined ? larger * 7 : hours !== undefined ? Math.ceil(larger / 24) : larger
  return days <= MAX_DAYS ? days : undefined
}
