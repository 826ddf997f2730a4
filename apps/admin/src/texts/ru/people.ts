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
    name: 'Логин',
    nameHint: 'Для входа, от 3 до 64 знаков. Изменить его потом нельзя.',
    displayName: 'Имя',
    displayNameHint: 'Так человека видят коллеги. Если пусто, показывается логин.',
    role: 'Роль',
    roleHints: {
      viewer: 'Читает всё, кроме журнала.',
      manager: 'Читает всё и меняет прайс-листы, импорты, бренды, пункты выдачи и остатки.',
      owner: 'Может всё, в том числе менять склады, настройки, токены и администраторов.',
    },
    state: 'Состояние',
    states: { active: 'Доступ открыт', invited: 'Приглашение выдано', off: 'Доступ закрыт' },
    seen: 'Последняя активность',
    never: 'Никогда',
    sessions: 'Сеансы',
    active: 'Может входить',
    activeHint: 'Если отключить, все сеансы этого человека завершатся.',
    invite: 'Пригласить человека',
    inviteAct: 'Пригласить',
    edit: (name) => `Изменить: ${name}`,
    gone: (id) => `Администратор ${id}`,
    link: (name) => `Приглашение: ${name}`,
    linkText: (until) => `Отправьте эту ссылку человеку. Она работает один раз, до ${until}.`,
    inviteAgain: 'Новое приглашение',
    inviteAgainText:
      'Если забыт пароль: по ссылке задают новый. До этого работает старый пароль; прежняя ссылка больше не работает.',
    signOut: 'Завершить все сеансы',
    signOutTitle: (name) => `Завершить все сеансы (${name})?`,
    signOutText: (sessions) => `Будет завершено: ${openSessions(sessions)}. Пароль останется прежним.`,
    signedOut: (name) => `Все сеансы завершены: ${name}.`,
    deleteText: (sessions) =>
      sessions === 0
        ? 'Этот человек больше не сможет войти. Его действия останутся в журнале.'
        : `Этот человек больше не сможет войти; будет завершено: ${openSessions(sessions)}. ` +
          'Его действия останутся в журнале.',
  },
  account: {
    profile: 'Профиль',
    signInName: 'Вы входите как',
    displayName: 'Имя',
    displayNameHint: 'Так вас видят коллеги рядом с тем, что вы сделали.',
    zone: 'Часовой пояс',
    browserZone: (zone) => `Как в браузере (${zone})`,
    noAccount: 'У токена установки нет учётной записи.',
    noAccountText:
      'У него нет логина, пароля и настроек, которые можно изменить. ' +
      'Пригласите себя как администратора и входите под своим логином.',
    password: 'Пароль',
    currentPassword: 'Текущий пароль',
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
    seen: 'Последняя активность',
    current: 'Этот сеанс',
    signOut: 'Завершить',
    signOutAt: (address) => `Завершить сеанс с адреса ${address}`,
    signOutOthers: 'Завершить все остальные',
    signOutOthersTitle: 'Завершить все остальные сеансы?',
    signOutOthersText: (sessions) => `Будет завершено: ${openSessions(sessions)}. Этот сеанс останется.`,
    shortcuts: 'Горячие клавиши',
    shortcutsOn: 'Команды одной клавишей',
    shortcutsHint: 'Клавиша / переводит в поле вверху страницы. Только в этом браузере.',
  },
}
