/** The keys of a tree: arrows, Home and End (WAI-ARIA tree view). @returns true when the key was one of them */
export function moveInTree(tree: HTMLElement, key: string, toggle: (item: HTMLElement) => void): boolean {
  const items = [...tree.querySelectorAll<HTMLElement>('[role="treeitem"]')]
  const current = items.find((item) => item === document.activeElement)
  if (current === undefined) return false
  const at = items.indexOf(current)
  const expanded = current.getAttribute('aria-expanded')
  switch (key) {
    case 'ArrowDown':
      items[at + 1]?.focus()
      return true
    case 'ArrowUp':
      items[at - 1]?.focus()
      return true
    case 'Home':
      items[0]?.focus()
      return true
    case 'End':
      items.at(-1)?.focus()
      return true
    case 'ArrowRight':
      if (expanded === 'false') toggle(current)
      else if (expanded === 'true') current.querySelector<HTMLElement>('[role="treeitem"]')?.focus()
      return true
    case 'ArrowLeft':
      if (expanded === 'true') toggle(current)
      else current.parentElement?.closest<HTMLElement>('[role="treeitem"]')?.focus()
      return true
    default:
      return false
  }
}
