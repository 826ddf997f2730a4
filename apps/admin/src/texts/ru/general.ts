import type { general as english } from '../en/general.js'
import { plural } from '../plural.js'

export const general: typeof english = {
  none: '–',
  save: 'Сохранить',
  cancel: 'Отмена',
  close: 'Закрыть',
  remove: 'Удалить',
  retry: 'Повторить',
  copy: 'Копировать',
  copied: 'Скопировано',
  open: 'Открыть',
  discard: 'Отменить изменения',
  confirm: 'Подтвердить',
  change: 'Изменить',
  optional: 'необязательно',
  yes: 'Да',
  no: 'Нет',
  loading: 'Загрузка …',
  search: 'Поиск',
  all: 'Все',
  saved: 'Сохранено',
  noNumber: 'Это не число.',
  changes: (count) => plural.ru(count, { one: 'изменение', few: 'изменения', many: 'изменений', other: 'изменения' }),
  rows: (count) => plural.ru(count, { one: 'строка', few: 'строки', many: 'строк', other: 'строки' }),
  estimated: 'примерно',
  notInSearch: {
    badge: 'не участвует в поиске',
    title: (storage) => `Поиск не опрашивает склад «${storage}»: партнёры не находят эти предложения.`,
    include: 'Включить в поиск',
    included: 'Теперь участвует в поиске.',
  },
}
