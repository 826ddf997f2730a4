/** All that the browser may store; anything else stays in memory. */
export type Preference = 'theme' | 'language' | 'shortcuts'

export function storePreference(name: Preference, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`partsbus.${name}`)
    else localStorage.setItem(`partsbus.${name}`, value)
  } catch {
    // storage is switched off: the choice lasts as long as the page
  }
}

export function storedPreference(name: Preference): string | null {
  try {
    return localStorage.getItem(`partsbus.${name}`)
  } catch {
    return null
  }
}
