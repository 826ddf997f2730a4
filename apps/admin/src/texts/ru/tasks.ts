import type { tasks as english } from '../en/tasks.js'

export const tasks: typeof english = {
  sources: { manual: 'Загрузка', email: 'Почта', ftp: 'FTP', url: 'Адрес' },
  statuses: { pending: 'Ожидает', processing: 'Импортируется', completed: 'Завершён', failed: 'Ошибка' },
  cancelled: 'Отменён',
  superseded: 'Завершён, но уже действовал более новый файл',
}
