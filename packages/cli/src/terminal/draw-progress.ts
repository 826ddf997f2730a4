const MAX_BAR = 40
const MIN_BAR = 8

/** One line like `[#####-----]  50 %  500 / 1000 rows`; without a bar while the total is not known. */
export function drawProgress(
  { done, total, unit }: { done: number; total: number; unit: string },
  columns: number,
): string {
  if (total <= 0) return `${done} ${unit}`
  const share = Math.min(1, done / total)
  const text = ` ${String(Math.floor(share * 100)).padStart(3)} %  ${done} / ${total} ${unit}`
  const width = Math.min(MAX_BAR, columns - text.length - 3)
  if (width < MIN_BAR) return text.trim()
  const filled = Math.floor(share * width)
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]${text}`
}
