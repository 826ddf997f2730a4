import type { tasks as english } from '../en/tasks.js'

export const tasks: typeof english = {
  sources: { manual: 'Загрузка файла', email: 'Почта', ftp: 'FTP', url: 'Веб-адрес' },
  statuses: { pending: 'Ожидает', processing: 'Импортируется', completed: 'Завершён', failed: 'Ошибка' },
  cancelled: 'Отменён',
  superseded: 'Завершён, но уже действовал более новый файл',
}
