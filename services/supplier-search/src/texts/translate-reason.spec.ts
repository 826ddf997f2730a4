import { describe, expect, it } from '@jest/globals'
import { requireSuccess } from '../dialects/read-rows.js'
import { toSupplierFault } from '../http/network-error-messages.js'
import { toReason } from '../suppliers/outcome.js'
import { russianReasons } from './russian-reasons.js'
import { translateReason } from './translate-reason.js'

const url = new URL('https://api.example:8443/v1')
const network = (code: string) => toReason(toSupplierFault(Object.assign(new Error(code), { code }), url))
const refused = (status: number): string => {
  try {
    requireSuccess({ status, body: {} } as never)
  } catch (error) {
    return toReason(error)
  }
  return ''
}

describe('reasons of suppliers for administrators (admin.md#locale)', () => {
  it.each([
    [network('ECONNREFUSED'), 'Сервер api.example:8443 отклонил соединение: по этому адресу ничего не работает.'],
    [
      network('CERT_HAS_EXPIRED'),
      'Сертификат или соединение TLS сервера api.example:8443 не приняты (CERT_HAS_EXPIRED).',
    ],
    [network('HPE_INVALID'), 'Сервер api.example:8443 отвечает не по протоколу HTTP (HPE_INVALID).'],
    [network('EOTHER'), 'Запрос к api.example:8443 не удался (EOTHER).'],
    [refused(401), 'Поставщик не принял данные для входа (HTTP 401).'],
    [refused(404), 'У поставщика нет такого адреса (HTTP 404). Проверьте адрес и протокол.'],
    [refused(502), 'Поставщик ответил HTTP 502.'],
    ['The supplier answered error 5: Нет доступа', 'Поставщик ответил ошибкой 5: Нет доступа'],
    ['Something else.', 'Something else.'],
  ])('%s', (english, russian) => {
    expect(translateReason(english, 'ru')).toBe(russian)
    expect(translateReason(english, 'en')).toBe(english)
  })

  it.each(['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'ETIMEDOUT', 'EPIPE', 'UND_ERR_SOCKET', 'ERR_ASSERTION'])(
    'knows the text of %s',
    (code) => {
      expect(translateReason(network(code), 'ru')).toMatch(/[а-я]/)
    },
  )

  it('has nothing to translate where nothing failed', () => {
    expect(translateReason(null, 'ru')).toBeNull()
  })

  it('uses no part of a text that the English one does not have', () => {
    const names = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name)
    for (const [english, russian] of Object.entries(russianReasons))
      expect(names(english)).toEqual(expect.arrayContaining(names(russian)))
  })
})
