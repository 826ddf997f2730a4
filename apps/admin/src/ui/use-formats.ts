import { useMemo } from 'react'
import { useOptionalSession } from '../calls/session.js'
import { useLanguage } from '../texts/language.js'
import { createFormats, type Formats } from './formats.js'

/** `const f = useFormats()`, then `f.number(184020)`. */
export function useFormats(): Formats {
  const { language, texts } = useLanguage()
  const zone = useOptionalSession()?.administrator.time_zone ?? undefined
  return useMemo(() => createFormats(language, texts.kit, zone), [language, texts, zone])
}
