/** Russian for the reasons why an image could not be downloaded (admin.md#locale); they are stored in English. */
export const russianReasons: Record<string, string> = {
  // its address
  'not a URL': 'это не адрес картинки',
  'the URL is too long': 'адрес слишком длинный',
  'the scheme {scheme} is not fetched': 'по протоколу {scheme} картинки не загружаются',
  'the URL contains credentials': 'в адресе имя пользователя или пароль',
  'the address is not public':
    'адрес сервера не публичный; если это ваш сервер, добавьте его в список разрешённых серверов картинок',
  'more than {count} redirects': 'больше {count} перенаправлений',
  // its server
  'the name cannot be resolved ({code})': 'имя сервера не найдено в DNS ({code})',
  'the time limit was reached': 'сервер не успел ответить',
  'the connection failed': 'соединение не удалось',
  ECONNREFUSED: 'сервер отклонил соединение (ECONNREFUSED)',
  ECONNRESET: 'соединение разорвано (ECONNRESET)',
  ETIMEDOUT: 'сервер не отвечает (ETIMEDOUT)',
  EHOSTUNREACH: 'сервер недоступен из сети (EHOSTUNREACH)',
  ENETUNREACH: 'сервер недоступен из сети (ENETUNREACH)',
  UND_ERR_CONNECT_TIMEOUT: 'сервер не отвечает (UND_ERR_CONNECT_TIMEOUT)',
  UND_ERR_SOCKET: 'соединение разорвано (UND_ERR_SOCKET)',
  // what it sends
  'HTTP {status}': 'сервер ответил HTTP {status}',
  'the response has a content encoding': 'ответ сжат, хотя сжатие не запрашивалось',
  'larger than {bytes} bytes': 'больше {bytes} байт',
  'not a JPEG, PNG, WebP or GIF': 'это не JPEG, PNG, WebP и не GIF',
  '{size} is more than {pixels} pixels': '{size}: больше {pixels} пикселей',
}
