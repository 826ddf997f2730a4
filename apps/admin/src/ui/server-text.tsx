import { useLanguage } from '../texts/language.js'
import { foreignLanguage } from './foreign-language.js'

/** A message of the server, which is English where it is not translated. */
export function ServerText({ text }: { text: string }) {
  const { language } = useLanguage()
  return <span lang={foreignLanguage(text, language)}>{text}</span>
}
