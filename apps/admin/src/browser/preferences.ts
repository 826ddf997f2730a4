/** All that the browser may store, beside the cookie of the language; anything else stays in memory. */
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

/** Tells the server the language of the reasons that it answers (admin.md#locale). It lasts as long as the browser. */
export function announceLanguage(language: string): void {
  document.cookie = `partsbus-language=${language}; Path=/; SameSite=Strict`
}
