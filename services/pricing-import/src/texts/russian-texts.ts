const TOO_FEW_ROWS =
  'The new list has {rows} rows and the active one {live}, which is below the configured minimum of {share}. ' +
  'The previous version remains active.'

/**
 * Russian for the messages of imports, previews and sources (admin.md#locale). The key is the English text with a name
 * in braces for each part that varies; `{reason}` is a message of this table itself, `{fields}` and `{columns}` are
 * lists.
 */
export const russianTexts: Record<string, string> = {
  // files
  'The file is empty.': 'Файл пуст.',
  'The file is larger than {bytes} bytes.': 'Файл больше {bytes} байт.',
  'The file must be CSV, TXT, XLS, XLSX, HTML, ZIP or RAR.': 'Файл должен быть CSV, TXT, XLS, XLSX, HTML, ZIP или RAR.',
  // of imports before HTML was read
  'The file must be CSV, TXT, XLS, XLSX, ZIP or RAR.': 'Файл должен быть CSV, TXT, XLS, XLSX, ZIP или RAR.',
  'The bytes of the file are not those of a {extension} file.':
    'По расширению это {extension}, но содержимое файла другое.',
  'This is a web page, not a price list.': 'Это веб-страница, а не прайс-лист.',
  'This is a web page, not a price list. A table of a page must be named .html.':
    'Это веб-страница, а не прайс-лист. Имя файла с таблицей веб-страницы должно кончаться на .html.',
  'The page has no table when it is read as {encoding}.': 'В кодировке {encoding} на странице нет таблицы.',
  'The file is not valid UTF-8.': 'Файл не в кодировке UTF-8.',
  'The file has more than {rows} rows.': 'В файле больше {rows} строк.',
  'Row {row} is longer than {characters} characters.': 'Строка {row} длиннее {characters} символов.',
  'The file took longer than {seconds} seconds to read.': 'Чтение файла заняло больше {seconds} с.',
  'The file needs more than {megabytes} MB of memory to read.': 'Для чтения файла нужно больше {megabytes} МБ памяти.',
  'The file cannot be read.': 'Файл не читается.',
  'The reader ended while it read the file.': 'Программа чтения завершилась на этом файле.',
  'The uploaded bytes are no longer there.': 'Загруженного файла больше нет. Загрузите его ещё раз.',
  // archives
  'The archive must contain exactly one file; it contains {files}.':
    'В архиве должен быть ровно один файл, а их {files}.',
  'The archive is protected by a password.': 'Архив защищён паролем.',
  'The archive contains a link instead of a file.': 'В архиве ссылка вместо файла.',
  'A file name in the archive leads out of it (zip slip).': 'Имя файла в архиве ведёт за его пределы (zip slip).',
  'The file in the archive must be CSV, TXT, XLS or XLSX.': 'Файл в архиве должен быть CSV, TXT, XLS или XLSX.',
  'The archive would unpack to more than {bytes} bytes.': 'Архив распаковывается больше чем в {bytes} байт.',
  'The file would unpack to more than {bytes} bytes.': 'Файл распаковывается больше чем в {bytes} байт.',
  'The archive has more than {files} members.': 'В архиве больше {files} файлов.',
  'The archive contains more than its directory says.': 'В архиве больше данных, чем указано в его оглавлении.',
  'The archive is damaged.': 'Архив повреждён.',
  'The archive is damaged, or is one part of several.': 'Архив повреждён или это одна часть многотомного архива.',
  'The archive is one part of several.': 'Это одна часть многотомного архива.',
  'The archive uses compression method {method}, which is not supported.':
    'Метод сжатия {method} этого архива не поддерживается.',
  'The file is an archive, not a workbook.': 'Файл – архив, а не книга Excel.',
  // workbooks
  'The workbook is protected by a password.': 'Книга защищена паролем.',
  'The workbook is damaged.': 'Книга повреждена.',
  'The file is not a workbook.': 'Файл не является книгой Excel.',
  'No visible sheet of the workbook has data.': 'Ни на одном видимом листе книги нет данных.',
  'The workbook has no sheet "{sheet}".': 'В книге нет листа «{sheet}».',
  'The workbook has no sheet number {number}.': 'В книге нет листа с номером {number}.',
  'The sheet has more than {rows} rows.': 'На листе больше {rows} строк.',
  'The sheets have more than {rows} rows.': 'На листах больше {rows} строк.',
  'The sheet breaks off in row {row}.': 'Лист обрывается на строке {row}.',
  'A row of the sheet breaks off.': 'Строка листа обрывается.',
  'A row of the sheet is longer than 32 MB.': 'Строка листа больше 32 МБ.',
  'The sheet has a cell beyond column XFD, the last of {columns}.':
    'На листе есть ячейка правее последней колонки XFD.',
  'The sheet has a row whose number is not between 1 and {rows}.': 'На листе есть строка с номером не от 1 до {rows}.',
  'A part of the workbook is longer than {bytes} bytes.': 'Часть книги больше {bytes} байт.',
  'The texts of the workbook take more than {bytes} bytes.': 'Тексты книги занимают больше {bytes} байт.',
  'The workbook has more than {texts} different texts.': 'В книге больше {texts} разных текстов.',
  'The workbook declares a document type, which is not allowed.': 'Книга объявляет тип документа, это запрещено.',
  // columns and rows
  'No column was found for the {fields}. Name the columns in a header row, or set them in the price list.':
    'Не найдены колонки: {fields}. Назовите колонки в строке заголовка или задайте их в прайс-листе.',
  'The file has no column {columns}, which the price list expects for the {fields}.':
    'В файле нет колонки {columns}, которая задана в прайс-листе ({fields}).',
  'The column "{heading}" was not taken for the article: it is almost blank, or has remarks.':
    'Колонка «{heading}» почти пуста или содержит пометки, поэтому артикул из неё не берётся.',
  'The file contains no rows.': 'В файле нет строк.',
  'None of the {rows} rows could be imported. Each row needs an article, a brand and a quantity.':
    'Ни одна из строк ({rows}) не импортирована. В каждой строке нужны артикул, бренд и количество.',
  [TOO_FEW_ROWS]:
    'В новом файле строк: {rows}, в действующем прайс-листе: {live}. Это меньше заданного минимума {share}. ' +
    'Действует прежняя версия.',
  'The merged list would have more than {rows} offers.':
    'В объединённом прайс-листе было бы больше {rows} предложений.',
  'The import was withdrawn before it could be published. Upload the file again.':
    'Импорт отозван, прежде чем вступил в силу. Загрузите файл ещё раз.',
  'Import failed: {attempts} consecutive attempts made no progress.':
    'Импорт не удался: попыток подряд без продвижения: {attempts}.',
  'The import was cancelled by an administrator.': 'Импорт отменил администратор.',
  // sources
  'The file {name} was fetched.': 'Файл {name} загружен.',
  'The file {name} is being imported.': 'Файл {name} импортируется.',
  'The file is not valid: {reason}': 'Файл не подходит: {reason}',
  'The server sent a web page, perhaps a sign-in form.': 'Сервер прислал веб-страницу, возможно, страницу входа.',
  'The file has not changed since it was imported.': 'Файл не изменился с последнего импорта.',
  'The fetch was interrupted: the service or its database went down while it ran.':
    'Загрузка файла прервана: служба или её база данных остановилась.',
  'The source was fetched a moment ago.': 'Источник только что проверен.',
  'The source is no longer there.': 'Источника больше нет.',
  'The source is being fetched already.': 'Файл источника уже загружается.',
  'The file is still being fetched; see last_run for the outcome.':
    'Файл ещё загружается. Итог будет показан как последний запуск.',
  'The file cannot be stored.': 'Файл не удалось сохранить.',
  'The file cannot be stored ({code}).': 'Файл не удалось сохранить ({code}).',
  'The file did not arrive in time.': 'Файл не пришёл вовремя.',
  'The price list is not active.': 'Прайс-лист неактивен.',
  'No message has a matching attachment of a listed type.': 'Нет письма с подходящим вложением.',
  'No file of a listed type matches "{pattern}" in the folder.': 'В папке нет подходящего файла для «{pattern}».',
  'The folder "{folder}" cannot be opened.': 'Папку «{folder}» открыть не удалось.',
  'The attachment "{name}" cannot be read.': 'Вложение «{name}» не читается.',
  'The server refused the user name or password.': 'Сервер не принял имя пользователя или пароль.',
  'The server answered: {text}': 'Ответ сервера: {text}',
  'The host answered HTTP {status}.': 'Сервер ответил HTTP {status}.',
  'The host cannot be reached.': 'Сервер недоступен.',
  'The host cannot be reached ({code}).': 'Сервер недоступен ({code}).',
  'The host cannot be trusted, its certificate is not accepted ({code}).':
    'Сервер не заслуживает доверия: его сертификат не принят ({code}).',
  'The host redirects from https to http.': 'Сервер перенаправляет с https на http.',
  'The server sent an answer of more than {bytes} bytes.': 'Ответ сервера больше {bytes} байт.',
  'The host sent a content encoding that was not asked for.': 'Сервер прислал незапрошенное сжатие.',
  'The name of the host cannot be resolved.': 'Имя сервера не найдено в DNS.',
  'The address of the host is not public: whoever runs this server can allow it with SOURCE_ALLOWED_HOSTS.':
    'Адрес сервера не публичный: разрешить его может системный администратор (переменная SOURCE_ALLOWED_HOSTS).',
  // of runs before
  'The address of the host is not public. SOURCE_ALLOWED_HOSTS may allow it.':
    'Адрес сервера не публичный: разрешить его может системный администратор (переменная SOURCE_ALLOWED_HOSTS).',
  'The address cannot be fetched: {text}.': 'По этому адресу нельзя загрузить файл: {text}.',
  'The fetch failed ({text}).': 'Загрузить файл не удалось ({text}).',
  'The stored password cannot be read with the key that the service has now. Send the password again.':
    'Сохранённый пароль не расшифровать нынешним ключом службы. Введите пароль ещё раз.',
}
