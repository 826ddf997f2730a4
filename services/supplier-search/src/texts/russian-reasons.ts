/** Russian for the reasons why a supplier did not answer, or only in part (admin.md#locale). */
export const russianReasons: Record<string, string> = {
  // its answer
  'The supplier refused the credentials (userlogin and userpsw), with error {code}.':
    'Поставщик не принял логин или пароль (userlogin и userpsw), ошибка {code}.',
  'The supplier refused the credentials (HTTP {status}).': 'Поставщик не принял данные для входа (HTTP {status}).',
  'The supplier redirects (HTTP {status}), which is not followed; base_url must be the final address.':
    'Поставщик перенаправляет на другой адрес (HTTP {status}). Укажите сразу конечный адрес.',
  'The supplier knows no such address (HTTP 404); check base_url and dialect.':
    'У поставщика нет такого адреса (HTTP 404). Проверьте адрес и протокол.',
  'The supplier answered HTTP {status}.': 'Поставщик ответил HTTP {status}.',
  'The supplier answered error {code}: {text}': 'Поставщик ответил ошибкой {code}: {text}',
  'The supplier answered: {text}': 'Ответ поставщика: {text}',
  'The supplier failed several times in a row and is not asked for 30 s.':
    'Поставщик не ответил несколько раз подряд, поэтому 30 с не опрашивается.',
  'The answer is not a list of brands; check base_url and dialect.':
    'Ответ не является списком брендов. Проверьте адрес и протокол.',
  'The answer is not a list of parts; check base_url and dialect.':
    'Ответ не является списком предложений. Проверьте адрес и протокол.',
  'The answer is not JSON in UTF-8 (its content type is {type}).':
    'Ответ не является JSON в кодировке UTF-8 (тип содержимого: {type}).',
  'The answer is compressed, although it was asked not to be.': 'Ответ сжат, хотя сжатие не запрашивалось.',
  'The answer is larger than 2 MB.': 'Ответ больше 2 МБ.',
  'The answers before it were too large.': 'Предыдущие ответы были слишком большими.',
  'The answers to one query are larger than {megabytes} MB.': 'Ответы на один запрос больше {megabytes} МБ.',
  'Too many large answers of suppliers are in memory.': 'В памяти слишком много больших ответов поставщиков.',
  'Some spellings of the brands were not asked for or not answered, or the answers were too large.':
    'Некоторые написания брендов не запрошены или остались без ответа, либо ответы были слишком большими.',
  // its host
  'The host name {host} cannot be resolved.': 'Имя сервера {host} не найдено в DNS.',
  'The host name {host} cannot be resolved now.': 'Имя сервера {host} сейчас не удаётся найти в DNS.',
  'The connection to {host} was refused; nothing listens there.':
    'Сервер {host} отклонил соединение: по этому адресу ничего не работает.',
  'There is no route to {host}.': 'Сервер {host} недоступен из сети.',
  'No connection to {host} in time.': 'Не удалось вовремя соединиться с {host}.',
  'The connection to {host} was reset.': 'Соединение с {host} разорвано.',
  'The connection to {host} was closed before the answer was complete.': 'Соединение с {host} закрыто до конца ответа.',
  'The answer of {host} has too large headers.': 'Заголовки ответа {host} слишком велики.',
  'The answer of {host} is not one that HTTP allows here.': 'Ответ {host} нарушает протокол HTTP.',
  'The answer of {host} is shorter or longer than it says.': 'Длина ответа {host} не та, которую он указал.',
  'The TLS certificate or handshake of {host} is not acceptable ({code}).':
    'Сертификат или соединение TLS сервера {host} не приняты ({code}).',
  '{host} does not answer in HTTP ({code}).': 'Сервер {host} отвечает не по протоколу HTTP ({code}).',
  'The request to {host} failed ({code}).': 'Запрос к {host} не удался ({code}).',
  'The request to {host} failed.': 'Запрос к {host} не удался.',
  'The address of {host} is not allowed; operators allow it by SUPPLIER_ALLOWED_HOSTS.':
    'Адрес {host} не разрешён. Его может разрешить переменная SUPPLIER_ALLOWED_HOSTS.',
  'No answer within {ms} ms.': 'Нет ответа за {ms} мс.',
  // services of Partsbus
  'The service did not answer in time.': 'Служба не ответила вовремя.',
  'Service temporarily unavailable.': 'Служба временно недоступна.',
  'The catalog or the stock service did not answer.': 'Служба каталога или складов не ответила.',
  'The catalog or the stock service did not answer in time.': 'Служба каталога или складов не ответила вовремя.',
  'The price-list service did not answer.': 'Служба прайс-листов не ответила.',
  'The price-list service did not answer in time.': 'Служба прайс-листов не ответила вовремя.',
  'It has more rows for this article than one query may read.':
    'По этому артикулу больше строк, чем можно прочитать за один запрос.',
  'The stored header values cannot be decrypted with SECRETS_KEY; send them again, or add the older key.':
    'Сохранённые значения заголовков не расшифровать ключом SECRETS_KEY. Введите их заново или верните прежний ключ.',
  'This version does not know the kind of its supplier.': 'Эта версия не знает поставщиков такого вида.',
}
