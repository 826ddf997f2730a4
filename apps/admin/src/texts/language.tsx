import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { announceLanguage, storePreference } from '../browser/preferences.js'
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

/** Before the pages ask for anything in this language. */
export async function loadTexts(language: Language): Promise<Texts> {
  announceLanguage(language)
  return withFeatures(language, language === 'ru' ? (await import('./ru.js')).ru : (await import('./en.js')).en)
}

interface LanguageProviderProps {
  initial: Texts
  /** what was answered in the language before is to be read again */
  onSpoken: () => void
  children: ReactNode
}

export function LanguageProvider({ initial, onSpoken, children }: LanguageProviderProps) {
  const [state, setState] = useState({ language: languageOfPage(), texts: initial })
  const speak = useCallback(
    (language: Language) => {
      const features = loadedFeatures(languageOfPage()).map((feature) => loadFeature(language, feature))
      void Promise.all([loadTexts(language), ...features]).then(([texts]) => {
        storePreference('language', language)
        setState({ language, texts })
        onSpoken()
      })
    },
    [onSpoken],
  )
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
