/** How a row differs between two versions of a list. Without schemas, so that the pages can load it at once. */
export const changeKinds = ['added', 'gone', 'dearer', 'cheaper', 'price_added', 'price_gone', 'other'] as const
export type ChangeKind = (typeof changeKinds)[number]

/** A kind as the pages and the files name it, of one row. */
export const changeWords: Record<'en' | 'ru', Record<ChangeKind, string>> = {
  en: {
    added: 'new',
    gone: 'gone',
    dearer: 'dearer',
    cheaper: 'cheaper',
    price_added: 'price added',
    price_gone: 'price removed',
    other: 'other change',
  },
  ru: {
    added: 'добавлена',
    gone: 'исчезла',
    dearer: 'подорожала',
    cheaper: 'подешевела',
    price_added: 'цена появилась',
    price_gone: 'цена пропала',
    other: 'другое изменение',
  },
}
