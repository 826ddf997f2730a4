import type { shell as english } from '../en/shell.js'
import { plural } from '../plural.js'

export const shell: typeof english = {
  product: 'Partsbus',
  skipToContent: 'К содержанию',
  navigation: 'Главное меню',
  openMenu: 'Открыть меню',
  closeMenu: 'Закрыть меню',
  groups: { prices: 'Цены', catalog: 'Каталог', setUp: 'Настройка', oversight: 'Контроль' },
  pages: {
    overview: 'Обзор',
    priceLists: 'Прайс-листы',
    imports: 'Загрузки',
    products: 'Товары',
    categories: 'Категории',
    pictures: 'Изображения',
    search: 'Поиск',
    storages: 'Склады',
    points: 'Точки выдачи',
    brands: 'Бренды',
    settings: 'Настройки',
    audit: 'Журнал',
    administrators: 'Администраторы',
    account: 'Учётная запись',
    api: 'API',
  },
  opensElsewhere: 'откроется в новой вкладке',
  problems: (count) => plural.ru(count, { one: 'проблема', few: 'проблемы', many: 'проблем', other: 'проблемы' }),
  jump: {
    label: 'Перейти к загрузке, товару, прайс-листу, складу или артикулу',
    placeholder: 'Номер, название или артикул',
    go: 'Перейти',
  },
  language: 'Язык',
  theme: { label: 'Тема', auto: 'Как в системе', light: 'Светлая', dark: 'Тёмная' },
  person: {
    signOut: 'Выйти',
    token: 'Токен установки',
  },
  roles: { owner: 'владелец', manager: 'менеджер', viewer: 'наблюдатель' },
  offline: 'Нет связи. Загруженное можно читать; изменять можно будет, когда связь вернётся.',
  newVersion: 'Вышла новая версия этих страниц.',
  reload: 'Обновить',
  notFound: {
    title: 'Такой страницы нет',
    text: (path) => `По адресу ${path} ничего нет.`,
    link: 'Обзор',
  },
  broken: {
    title: 'Страница не сработала',
    text: 'Ошибка в самой странице, не в ваших данных. Обновите её; если не поможет, пришлите нам сообщение ниже.',
  },
}
