/**
 * A count in words: `plural.en(2, { one: 'row', other: 'rows' })` is `2 rows`. Each language names all of its own
 * forms, so a missing one does not compile (`other` is the Russian form of fractions: 1,5 строки).
 */
export const plural = {
  en: (count: number, forms: Record<'one' | 'other', string>) => counted('en', count, forms),
  ru: (count: number, forms: Record<'one' | 'few' | 'many' | 'other', string>) => counted('ru', count, forms),
}

/** The form alone, for a sentence in which the number stands elsewhere. */
export const form = {
  en: (count: number, forms: Record<'one' | 'other', string>) => pick('en', count, forms),
  ru: (count: number, forms: Record<'one' | 'few' | 'many' | 'other', string>) => pick('ru', count, forms),
}

type Language = 'en' | 'ru'
type Form = 'one' | 'few' | 'many' | 'other'

const rules = { en: new Intl.PluralRules('en'), ru: new Intl.PluralRules('ru') }
const numbers = { en: new Intl.NumberFormat('en'), ru: new Intl.NumberFormat('ru') }

function pick(language: Language, count: number, forms: Partial<Record<Form, string>>): string {
  return forms[rules[language].select(count) as Form] ?? forms.other ?? ''
}

const counted = (language: Language, count: number, forms: Partial<Record<Form, string>>) =>
  `${numbers[language].format(count)} ${pick(language, count, forms)}`
