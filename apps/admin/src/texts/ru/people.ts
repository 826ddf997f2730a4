import type { people as english } from '../en/people.js'
import { plural } from '../plural.js'

const openSessions = (count: number) =>
  plural.ru(count, {
    one: 'открытый сеанс',
    few: 'открытых сеанса',
    many: 'открытых сеансов',
    other: 'открытого сеанса',
  })

export const people: typeof english = {
  administrators: {
    empty: 'Эти страницы открывает только токен установки. Пригласите первого человека.',
    name: 'Имя',
    nameHint: 'Для входа, от 3 до 64 знаков. Изменить его потом нельзя.',
    displayName: 'Как показывать',
    displayNameHint: 'Если не заполнить, то по имени.',
    role: 'Роль',
    roleHints: {
      viewer: 'Читает всё, кроме журнала.',
      manager: 'Читает всё и меняет прайс-листы, загрузки, бренды, точки выдачи и остатки.',
      owner: 'Может всё: также склады, настройки, токены и администраторов.',
    },
    state: 'Состояние',
    states: { active: 'Активен', invited: 'Приглашён', off: 'Отключён' },
    seen: 'Последний раз',
    never: 'Никогда',
    sessions: 'Сеансы',
    active: 'Может входить',
    activeHint: 'Если отключить, все сеансы этого человека завершатся.',
    invite: 'Пригласить человека',
    inviteAct: 'Пригласить',
    edit: (name) => `Изменить: ${name}`,
    gone: (id) => `Администратор ${id}`,
    link: (name) => `Приглашение для ${name}`,
    linkText: (until) => `Отправьте эту ссылку человеку. Она работает один раз, до ${until}.`,
    inviteAgain: 'Новое приглашение',
    inviteAgainText:
      'Если забыт пароль: по ссылке задают новый. До этого работает старый пароль; прежняя ссылка больше не работает.',
    signOut: 'Завершить все сеансы',
    signOutTitle: (name) => `Завершить все сеансы ${name}?`,
    signOutText: (sessions) => `Будет завершено: ${openSessions(sessions)}. Пароль останется прежним.`,
    signedOut: (name) => `Все сеансы ${name} завершены.`,
    deleteText: (sessions) =>
      sessions === 0
        ? 'Этот человек больше не сможет войти. Его действия останутся в журнале.'
        : `Этот человек больше не сможет войти; будет завершено: ${openSessions(sessions)}. ` +
          'Его действия останутся в журнале.',
  },
  account: {
    profile: 'Профиль',
    signInName: 'Вы входите как',
    displayName: 'Как показывать',
    displayNameHint: 'Так вас видят коллеги рядом с тем, что вы сделали.',
    zone: 'Часовой пояс',
    browserZone: (zone) => `Как в браузере (${zone})`,
    noAccount: 'У токена установки нет учётной записи.',
    noAccountText:
      'У него нет имени, пароля и настроек, которые можно изменить. ' +
      'Пригласите себя как администратора и входите под своим именем.',
    password: 'Пароль',
    currentPassword: 'Нынешний пароль',
    nextPassword: 'Новый пароль',
    passwordText: 'Новый пароль завершит все остальные ваши сеансы.',
    changePassword: 'Сменить пароль',
    passwordChanged: 'Пароль изменён. Все остальные ваши сеансы завершены.',
    wrongPassword: 'Это не ваш пароль.',
    sessions: 'Открытые сеансы',
    browser: 'Браузер',
    unknownBrowser: 'Неизвестный браузер',
    address: 'Адрес',
    started: 'Вход',
    seen: 'Последний раз',
    current: 'Этот сеанс',
    signOut: 'Завершить',
    signOutAt: (address) => `Завершить сеанс с адреса ${address}`,
    signOutOthers: 'Завершить все остальные',
    signOutOthersTitle: 'Завершить все остальные сеансы?',
    signOutOthersText: (sessions) => `Будет завершено: ${openSessions(sessions)}. Этот сеанс останется.`,
    shortcuts: 'Горячие клавиши',
    shortcutsOn: 'Одиночные клавиши работают',
    shortcutsHint: 'Клавиша / ведёт в поле наверху страницы. Действует в этом браузере.',
  },
}
