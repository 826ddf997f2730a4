/** Columns as wide as their longest cell; the last one is not padded. */
export function drawTable(header: readonly string[], rows: ReadonlyArray<readonly unknown[]>): string[] {
  const lines = [header, ...rows.map((row) => row.map((cell) => showCell(cell)))]
  const widths = header.map((_, column) => Math.max(...lines.map((line) => [...(line[column] ?? '')].length)))
  return lines.map((line) =>
    line
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd(),
  )
}

function showCell(cell: unknown): string {
  if (cell === null || cell === undefined) return '–'
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}
