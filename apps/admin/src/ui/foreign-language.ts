import type { Language } from '../texts/features.js'

/** The language of a text that is not in that of the page, by its script; undefined where it is. */
export function foreignLanguage(text: string, ofPage: Language): Language | undefined {
  const language = /[а-яё]/i.test(text) ? 'ru' : /[a-z]/i.test(text) ? 'en' : ofPage
  return language === ofPage ? undefined : language
}
