/**
 * Russian for the messages of errors that the pages show (admin.md#locale), by their English text (see
 * `createTranslator`). Those that the pages word themselves are not here.
 */
export const russianRefusals: Record<string, string> = {
  // what uses a resource
  'The storage is used by the setting{s} {settings}. The storage is used by the price list{p} {lists}.':
    'Склад используется в настройках и прайс-листах.',
  'The storage is used by the setting{s} {settings}.': 'Склад используется в настройках.',
  'The storage is used by the price list{s} {lists}.': 'Склад используется в прайс-листах.',
  'The pick-up-point is used by the setting{s} {settings}.': 'Пункт выдачи используется в настройках.',
  'Storage {id} is used by pick-up point {point} "{name}" and {more} more.':
    'Склад используется: его остатки получает пункт выдачи «{name}» и не только он (ещё {more}).',
  'Storage {id} is used by pick-up point {point} "{name}".': 'Склад используется пунктом выдачи «{name}».',
  'Storage {id} is used by a stock update in progress.': 'Остатки этого склада сейчас обновляются.',
  'Storage {id} is used by 1 supply.': 'На этом складе есть остаток.',
  'Storage {id} is used by {count} supplies.': 'На этом складе есть остатки: {count}.',
  'Pick-up point {id} is used by a stock update in progress.': 'Остатки этого пункта выдачи сейчас обновляются.',
  'Pick-up point {id} is used by 1 supply.': 'У этого пункта выдачи есть остаток.',
  'Pick-up point {id} is used by {count} supplies.': 'У этого пункта выдачи есть остатки: {count}.',
  // changes of others
  'Others are changing this storage; try again.': 'Этот склад сейчас меняют другие. Повторите попытку.',
  'Others are changing this group; try again.': 'Эту группу сейчас меняют другие. Повторите попытку.',
  'Another group with one of these spellings was created and deleted; try again.':
    'Группа с одним из этих написаний только что создана и удалена. Повторите попытку.',
  'The settings are being changed by others; try again.': 'Настройки сейчас меняют другие. Повторите попытку.',
  'Conflict with a concurrent change of the price list; please retry.':
    'Прайс-лист сейчас меняют другие. Повторите попытку.',
  'It was changed meanwhile.': 'Данные успели измениться.',
  // settings and people
  'The storage asks another system. An owner includes it in the setting storages_for_crosses.':
    'Склад опрашивает чужую систему. Включить его в поиск может владелец: в настройках API для партнёров.',
  'The setting storages_for_crosses has {count} storages already.': 'В поиске уже {count} складов: больше нельзя.',
  'The administrator is not active.': 'Администратор отключён.',
  'The last active owner cannot be deleted, deactivated or given another role.':
    'Единственного действующего владельца нельзя удалить, отключить или перевести на другую роль.',
  'The session of the installation token has no account that could be changed.':
    'У токена установки нет учётной записи, которую можно изменить.',
  'The name or the password is wrong.': 'Неверный логин или пароль.',
  'The invitation is no longer valid.': 'Приглашение больше не действует.',
  'Signing in over plain HTTP is allowed on a loopback host only. {hint}':
    'По обычному HTTP можно войти только с этого же компьютера. Поставьте перед шлюзом TLS и откройте страницу по ' +
    'https: в Compose задайте EDGE_HOST и COMPOSE_PROFILES=edge, для своего прокси укажите его адрес в ' +
    'TRUSTED_PROXIES. В сети, которую никто не прослушивает, обычный HTTP разрешает ADMIN_PLAIN_HTTP=on.',
  'Cross-site requests are not allowed.': 'Запросы с других сайтов не разрешены.',
  'Access from this IP address is not allowed for administrators.':
    'С этого IP-адреса вход для администраторов не разрешён.',
  'Too many requests.': 'Слишком много запросов. Подождите немного.',
  'The name cannot be changed.': 'Имя изменить нельзя.',
  'The current password is wrong.': 'Это не ваш пароль.',
  // price lists and imports
  'The price list {id} "{name}" has {tasks} import task{s}. Send with_history=true to delete them too.':
    'У прайс-листа «{name}» есть импорты ({tasks}). Чтобы удалить и их, передайте with_history=true.',
  'An import of the price list {id} "{name}" is running or waiting.':
    'Импорт прайс-листа «{name}» ещё идёт или ждёт очереди.',
  '{count} imports of this price list are waiting already. Try again later.':
    'Очереди уже ждут другие импорты этого прайс-листа ({count}). Повторите попытку позже.',
  '{count} imports are waiting already. Try again later.':
    'Очереди уже ждут другие импорты ({count}). Повторите попытку позже.',
  'The import has already finished or is being published.': 'Импорт уже завершён или как раз вступает в силу.',
  'Only a failed import can be retried.': 'Повторить можно только импорт, который не удался.',
  'The file of the import has been deleted.': 'Файл этого импорта уже удалён.',
  'The previewed file is no longer kept. Send it again.': 'Файл больше не хранится. Загрузите его ещё раз.',
  'Version {version} has {total} offers, of which {count} were read.':
    'В версии {version} предложений: {total}, а прочитано {count}.',
  'Version {version} or {newer} is no longer kept.': 'Версия {version} или {newer} больше не хранится.',
  'Version {version} is no longer kept.': 'Версия {version} больше не хранится.',
  'Version {version} is too large to be compared.': 'Версия {version} слишком велика для сравнения.',
  'There is no version before the active one.': 'Прежней версии нет.',
  'There is no version before the one that was named.': 'Перед выбранной версией другой нет.',
  'There is no version before {version}.': 'Перед версией {version} другой нет.',
  'Price list is not active.': 'Прайс-лист неактивен.',
  'Failed to store uploaded file.': 'Загруженный файл не удалось сохранить.',
  'Uploaded file is not valid. The file is larger than {bytes} bytes (setting price-lists.import.max_file_size).':
    'Загруженный файл не подходит: он больше {bytes} байт (наибольший размер задан в настройках).',
  'Uploaded file is not valid. The form is larger than {bytes} bytes (setting price-lists.import.max_file_size).':
    'Загруженный файл не подходит: он больше {bytes} байт (наибольший размер задан в настройках).',
  // fields
  'The selected id is invalid.': 'Такого источника нет.',
  'The password has no stored value to keep.': 'Сохранённого пароля нет: введите его.',
  'The host must be a host name or an address.': 'Нужно имя сервера или его адрес.',
  'The url must be an http or https URL.': 'Адрес должен начинаться с http:// или https://.',
  'The url must not contain a user name or password; send them as username and password.':
    'В адресе не должно быть имени пользователя и пароля: для них есть отдельные поля.',
  'The header {name} is given twice.': 'Заголовок {name} указан дважды.',
  'The header {name} has no stored value to keep.': 'У заголовка {name} нет сохранённого значения: введите его.',
  'The {field} must contain more than quotes.': 'Написание не может состоять из одних кавычек.',
  'The range must not have more than {points} points.': 'Слишком длинный период: больше {points} точек.',
  // requests
  'Not found.': 'Не найдено.',
  'Internal server error.': 'Внутренняя ошибка сервера.',
  'Service temporarily unavailable.': 'Служба временно недоступна.',
  'The service did not answer in time.': 'Служба не ответила вовремя.',
  'The response is too large. Request fewer items at once.': 'Ответ слишком большой. Запросите меньше строк сразу.',
  'The request is too large.': 'Запрос слишком большой.',
  'The message is too large.': 'Запрос слишком большой.',
  'The request body must not be greater than {bytes} bytes. Send it in several requests.':
    'Запрос больше {bytes} байт. Разделите его на несколько.',
  'The request is malformed.': 'Запрос составлен неверно.',
  'The request body was cut off.': 'Запрос пришёл не полностью.',
  'The request body is not a valid multipart form.': 'Форма с файлом пришла повреждённой.',
}
