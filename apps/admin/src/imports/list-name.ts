/** The number of a list that has no name here; while the names are loaded, neither. */
export const listName = (id: number, names: readonly { id: number; name: string }[] | undefined): string =>
  names === undefined ? '…' : (names.find((list) => list.id === id)?.name ?? String(id))
