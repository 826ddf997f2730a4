import type { search as english } from '../en/search.js'
import { plural } from '../plural.js'

export const search: typeof english = {
  lead: 'Поиск так, как его видит партнёр, и ответ каждого поставщика.',
  article: 'Артикул',
  readAs: (key) => `читается как ${key}`,
  points: 'Пункты выдачи',
  allPoints: 'не выбраны: склады из настроек',
  ask: 'Искать',
  askedOf: (asked, all) =>
    all === null
      ? plural.ru(asked, {
          one: 'склад опрошен',
          few: 'склада опрошены',
          many: 'складов опрошено',
          other: 'склада опрошено',
        })
      : `опрошено складов: ${asked} из ${all}`,
  notInAsked: (asked, all) =>
    all === null ? 'Нет на опрошенных складах.' : `Нет на опрошенных складах (${asked} из ${all}).`,
  alsoIn: (count) => {
    const places = plural.ru(count, { one: 'складе', few: 'складах', many: 'складах', other: 'складах' })
    return `Есть на ${places}, но поиск ${count === 1 ? 'его' : 'их'} не опрашивал:`
  },
  askManager: 'Включить их в поиск может менеджер.',
  partial: (failed, asked) => `Неполный результат: не ответили поставщики (${failed} из ${asked}).`,
  empty: 'Введите артикул, чтобы увидеть, что получает партнёр.',
  closed: 'API для партнёров выключен: запросы партнёров получают отказ.',
  brands: 'Бренды',
  noBrands: 'Этого артикула нет ни на одном складе.',
  name: 'Наименование',
  brand: 'Бренд',
  storages: (count) => plural.ru(count, { one: 'склад', few: 'склада', many: 'складов', other: 'склада' }),
  showParts: 'Предложения',
  parts: 'Предложения',
  noParts: 'Предложений нет.',
  quantity: 'Количество',
  price: 'Цена',
  days: 'Срок, дней',
  storage: 'Склад',
  suppliers: 'Опрошенные поставщики',
  nobodyAsked: 'Ни один склад не был опрошен: выберите склады в настройках API для партнёров или пункты выдачи.',
  toSettings: 'Настройки API для партнёров',
  outcome: 'Итог',
  outcomes: { ok: 'ответил', timeout: 'не успел', error: 'ошибка', 'cut-off': 'временно отключён' },
  time: 'Время',
  rows: 'Строк',
  fromCache: 'из кэша',
  reason: 'Причина',
}
