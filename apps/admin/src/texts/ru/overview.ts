import type { overview as english } from '../en/overview.js'
import { form, plural } from '../plural.js'

const imports = (count: number) =>
  plural.ru(count, { one: 'импорт', few: 'импорта', many: 'импортов', other: 'импорта' })
/** The participle of a count of rows: 21 строка пропущена, 2 строки пропущены, 5 строк пропущено. */
const ended = (count: number, one: string, few: string, many: string) => form.ru(count, { one, few, many, other: many })
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
  away: 'Эта служба не отвечает.',
  imports: {
    title: 'Импорты',
    all: 'Все импорты',
    day: 'За сутки',
    completed: (count) => `${imports(count)} ${ended(count, 'завершён', 'завершены', 'завершено')}`,
    failed: (count) => `${imports(count)} с ошибкой`,
    rows: (count) => `${rows(count)} ${ended(count, 'импортирована', 'импортированы', 'импортировано')}`,
    skipped: (count) => `${rows(count)} ${ended(count, 'пропущена', 'пропущены', 'пропущено')}`,
    queue: (running, waiting) => `выполняется: ${running}, в очереди: ${waiting}`,
    oldest: 'дольше всех',
    none: 'Импортов пока не было.',
    list: 'Прайс-лист',
    state: 'Состояние',
    rowsHead: 'Строки',
    skippedHead: 'Пропущено',
    time: 'Время',
    statuses: { pending: 'ждёт', processing: 'выполняется', completed: 'завершён', failed: 'ошибка' },
    number: (id) => `Импорт ${id}`,
  },
  suppliers: {
    title: 'Поставщики',
    lead: 'За 15 минут; 95 % ответов – не дольше указанного',
    name: 'Поставщик',
    state: 'Состояние',
    p95: 'Время ответа',
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
    off: 'выключен',
    notReady: 'не готов',
    on: 'включён',
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
      plural.ru(count, { one: 'пункт выдачи', few: 'пункта выдачи', many: 'пунктов выдачи', other: 'пункта выдачи' }),
  },
  problem: {
    'service-away': (name) => `Служба ${name} не отвечает`,
    'imports-waiting': 'Импорты ждут больше десяти минут',
    'import-failed': (list) => `Прайс-лист «${list}» не импортирован`,
    'source-failing': (list, kind) => `${kind} прайс-листа «${list}»: источник не работает`,
    'supplier-cut-off': (name) => `«${name}» временно отключён`,
    'not-in-search': (count, names) =>
      `${plural.ru(count, {
        one: 'действующий прайс-лист не участвует',
        few: 'действующих прайс-листа не участвуют',
        many: 'действующих прайс-листов не участвуют',
        other: 'действующих прайс-листа не участвуют',
      })} в поиске: ${names}`,
    'pictures-failing': (count) => `Не загрузилось: ${pictures(count)}`,
    'erp-silent': 'От ERP нет запросов уже сутки',
    'erp-not-ready': (missing) => `API для ERP включён, но не готов. Не хватает: ${missing}`,
    'b2b-not-ready': (missing) => `API для партнёров включён, но не готов. Не хватает: ${missing}`,
    'secrets-unreadable': 'Сохранённые пароли не читаются: изменился ключ шифрования',
    'disk-full': 'Диск для прайс-листов почти заполнен',
    kinds: { url: 'Веб-адрес', ftp: 'FTP-сервер', email: 'Почтовый ящик' },
    missing: { token: 'токен', storage: 'склад', 'pick-up point': 'пункт выдачи' },
  },
  runNow: 'Запустить',
  running: 'Источник запущен.',
  first: {
    title: 'Первые шаги',
    lead: 'Несколько шагов, и партнёры получат предложения. Каждый отмечается, как только сделан.',
    done: 'сделано',
    storage: 'Добавить склад',
    storageText: 'Для своих остатков или API поставщика. У прайс-листа склад создаётся сам.',
    point: 'Добавить пункт выдачи',
    pointText: 'Партнёры выбирают, где забрать заказ.',
    erp: 'Открыть API для ERP',
    erpText: 'Выберите склад и пункт выдачи, включите API и выпустите токен.',
    list: 'Загрузить первый прайс-лист',
    listText: 'Выберите файл поставщика: перед импортом вы увидите, как он читается.',
    partner: 'Открыть API для партнёров',
    partnerText: 'Включите API и передайте токен партнёрам.',
  },
}
