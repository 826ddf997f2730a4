/** The opened branches of the tree in the URL: `12,40`. */
export const readOpen = (text: string): number[] =>
  [...new Set(text.split(',').filter((part) => /^[1-9]\d{0,14}$/.test(part)))].map(Number)

/** @returns the text with the branch opened, or closed when it was open */
export function toggleOpen(text: string, id: number): string {
  const open = readOpen(text)
  return (open.includes(id) ? open.filter((one) => one !== id) : [...open, id]).join(',')
}
