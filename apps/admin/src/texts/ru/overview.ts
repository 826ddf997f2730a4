import type { overview as english } from '../en/overview.js'
import { plural } from '../plural.js'

const imports = (count: number) =>
  plural.ru(count, { one: 'загрузка', few: 'загрузки', many: 'загрузок', other: 'загрузки' })
const rows = (count: number) => plural.ru(count, { one: 'строка', few: 'строки', many: 'строк', other: 'строки' })
const pictures = (count: number) =>
  plural.ru(count, { one: 'изображение', few: 'изображения', many: 'изображений', other: 'изображения' })
const requests = (count: number) =>
  plural.ru(count, { one: 'запрос', few: 'запроса', many: 'запросов', other: 'запроса' })

export const overview: typeof english = {
  problems: (count) => plural.ru(count, { one: 'проблема', few: 'проблемы', many: 'проблем', other: 'проблемы' }),
  allWell: 'Всё в порядке',
  checked: 'проверено',
  times: (count) => plural.ru(count, { one: 'раз', few: 'раза', many: 'раз', other: 'раза' }),
  services: 'Службы',
  serviceStates: { up: 'работает', slow: 'медленно', away: 'не отвечает' },
  version: (version) => `Версия ${version}`,
  away: 'Эта часть не отвечает.',
  imports: {
    title: 'Загрузки',
    all: 'Все загрузки',
    day: 'За сутки',
    completed: (count) => `${imports(count)} завершено`,
    failed: (count) => `${imports(count)} с ошибкой`,
    rows: (count) => `${rows(count)} загружено`,
    skipped: (count) => `${rows(count)} пропущено`,
    queue: (running, waiting) => `выполняется ${running}, ждут ${waiting}`,
    oldest: 'дольше всех',
    none: 'Пока ничего не загружено.',
    list: 'Прайс-лист',
    state: 'Состояние',
    rowsHead: 'Строки',
    skippedHead: 'Пропущено',
    time: 'Время',
    statuses: { pending: 'ждёт', processing: 'выполняется', completed: 'завершена', failed: 'ошибка' },
    number: (id) => `Загрузка ${id}`,
  },
  suppliers: {
    title: 'Поставщики',
    lead: 'За 15 минут',
    name: 'Поставщик',
    state: 'Состояние',
    p95: '95 % быстрее',
    answers: 'Запросы',
    states: { ok: 'отвечает', slow: 'медленно', 'cut-off': 'отключён', failing: 'ошибки', quiet: 'не опрашивался' },
    failed: (count) => `${requests(count)} с ошибкой`,
    none: 'Поставщиков пока нет.',
    quiet: (count) => {
      const suppliers = { one: 'поставщик', few: 'поставщика', many: 'поставщиков', other: 'поставщика' }
      return `Не опрашивались: ${plural.ru(count, suppliers)}`
    },
  },
  apis: {
    title: 'API',
    erp: 'ERP',
    b2b: 'Партнёры',
    off: 'выключено',
    notReady: 'не готово',
    on: 'включено',
    lastCall: 'последний запрос',
    never: 'запросов ещё не было',
    requests,
    refused: (count) => `отказов: ${count}`,
    failed: (count) => `ошибок: ${count}`,
    day: 'за сутки',
  },
  catalog: {
    title: 'Каталог и остатки',
    products: (count) => plural.ru(count, { one: 'товар', few: 'товара', many: 'товаров', other: 'товара' }),
    categories: (count) =>
      plural.ru(count, { one: 'категория', few: 'категории', many: 'категорий', other: 'категории' }),
    picturesFailed: (count) => `${pictures(count)} с ошибкой`,
    picturesPending: (count) => `${pictures(count)} в очереди`,
    supplies: (count) =>
      plural.ru(count, {
        one: 'складская позиция',
        few: 'складские позиции',
        many: 'складских позиций',
        other: 'складской позиции',
      }),
    storages: (count) => plural.ru(count, { one: 'склад', few: 'склада', many: 'складов', other: 'склада' }),
    points: (count) =>
      plural.ru(count, { one: 'точка выдачи', few: 'точки выдачи', many: 'точек выдачи', other: 'точки выдачи' }),
  },
  problem: {
    'service-away': (name) => `Служба ${name} не отвечает`,
    'imports-waiting': 'Загрузки ждут больше десяти минут',
    'import-failed': (list) => `Прайс-лист «${list}» не загрузился`,
    'source-failing': (list, kind) => `Источник ${kind} прайс-листа «${list}» не работает`,
    'supplier-cut-off': (name) => `«${name}» отключён`,
    'not-in-search': (count, names) =>
      `${plural.ru(count, {
        one: 'действующий прайс-лист не участвует',
        few: 'действующих прайс-листа не участвуют',
        many: 'действующих прайс-листов не участвуют',
        other: 'действующих прайс-листа не участвуют',
      })} в поиске: ${names}`,
    'pictures-failing': (count) => `Не загрузилось: ${pictures(count)}`,
    'erp-silent': 'ERP не обращалась уже сутки',
    'erp-not-ready': (missing) => `API для ERP включено, но не готово. Не хватает: ${missing}`,
    'b2b-not-ready': (missing) => `API для партнёров включено, но не готово. Не хватает: ${missing}`,
    'secrets-unreadable': 'Сохранённые пароли не читаются: изменился ключ шифрования',
    'disk-full': 'Диск для прайс-листов почти заполнен',
    missing: { token: 'токен', storage: 'склад', 'pick-up point': 'точка выдачи' },
  },
  runNow: 'Запустить',
  running: 'Источник запущен.',
  first: {
    title: 'Первые шаги',
    lead: 'Несколько шагов, и партнёры получат предложения. Каждый отмечается, как только сделан.',
    done: 'сделано',
    storage: 'Добавить склад',
    storageText: 'Где лежат детали: у вас, в прайс-листе поставщика или в его API.',
    point: 'Добавить точку выдачи',
    pointText: 'Партнёры выбирают, где забрать заказ.',
    erp: 'Открыть API для ERP',
    erpText: 'Выберите склад и точку, включите и выпустите токен.',
    list: 'Загрузить первый прайс-лист',
    listText: 'Перетащите файл поставщика; ничего не загрузится, пока вы его не увидите.',
    partner: 'Открыть API для партнёров',
    partnerText: 'Включите и передайте токен партнёрам.',
  },
}
