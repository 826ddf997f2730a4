import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { storePreference } from '../browser/preferences.js'
import type { Texts } from './en.js'
import { type Language, languageOfPage, loadedFeatures, loadFeature, withFeatures } from './features.js'
// both languages need it: in the first chunk it costs no request of its own
import './plural.js'

interface Spoken {
  language: Language
  texts: Texts
  speak: (language: Language) => void
}

const Spoken = createContext<Spoken | null>(null)

export async function loadTexts(language: Language): Promise<Texts> {
  return withFeatures(language, language === 'ru' ? (await import('./ru.js')).ru : (await import('./en.js')).en)
}

export function LanguageProvider({ initial, children }: { initial: Texts; children: ReactNode }) {
  const [state, setState] = useState({ language: languageOfPage(), texts: initial })
  const speak = useCallback((language: Language) => {
    const features = loadedFeatures(languageOfPage()).map((feature) => loadFeature(language, feature))
    void Promise.all([loadTexts(language), ...features]).then(([texts]) => {
      storePreference('language', language)
      setState({ language, texts })
    })
  }, [])
  useEffect(() => {
    document.documentElement.lang = state.language
  }, [state.language])
  const spoken = useMemo(() => ({ ...state, speak }), [state, speak])
  return <Spoken value={spoken}>{children}</Spoken>
}

export function useLanguage(): Spoken {
  const spoken = use(Spoken)
  if (spoken === null) throw new Error('LanguageProvider is missing')
  return spoken
}

/** `const t = useTexts()`, then `t.shell.pages.imports`. */
export const useTexts = (): Texts => useLanguage().texts
