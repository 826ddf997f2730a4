import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { printConfig } from './testing/alertmanager-config.js'

const folder = mkdtempSync(join(tmpdir(), 'partsbus-alertmanager-'))
afterAll(() => rmSync(folder, { recursive: true }))

const mail = {
  ALERT_MAIL_TO: 'ops@shop.example',
  ALERT_MAIL_FROM: 'partsbus@shop.example',
  ALERT_SMTP_SERVER: 'mail:587',
}
const receiver = (print: ReturnType<typeof printConfig>, name: string) =>
  print.config.receivers.find((each) => each.name === name)

describe('deploy/observability/alertmanager.sh', () => {
  it('sends nothing, and says so, where nobody is named', () => {
    const print = printConfig(folder, {}, {})
    expect(print.config.receivers).toEqual([{ name: 'none' }, { name: 'people' }])
    expect(print.stderr).toContain('no alert is sent')
  })

  it('sends mail, and signs in with the password of the secret', () => {
    const env = { ...mail, ALERT_SMTP_USER: 'robot' }
    const password = 'a "quoted" \\ one: #1'
    const print = printConfig(folder, env, { alert_smtp_password: `${password}\n` })
    expect([print.stderr, receiver(print, 'people')?.email_configs]).toEqual([
      '',
      [
        {
          to: 'ops@shop.example',
          from: 'partsbus@shop.example',
          smarthost: 'mail:587',
          send_resolved: true,
          auth_username: 'robot',
          auth_password: password,
        },
      ],
    ])
  })

  it('sends to a chat of Telegram', () => {
    const print = printConfig(folder, { ALERT_TELEGRAM_CHAT: '-1001' }, { alert_telegram_token: '1:a' })
    expect(receiver(print, 'people')?.telegram_configs).toMatchObject([{ chat_id: -1001, bot_token: '1:a' }])
  })

  it('sends the watchdog to whoever listens for it, and to nobody else', () => {
    const routeOf = (print: ReturnType<typeof printConfig>) =>
      print.config.route.routes.find(({ matchers }) => matchers.includes('severity = "none"'))?.receiver
    const url = 'https://watch.example/ping/1'
    const watched = printConfig(folder, mail, { alert_watchdog_url: url })
    expect([routeOf(watched), receiver(watched, 'watchdog')?.webhook_configs]).toEqual([
      'watchdog',
      [{ url, send_resolved: false }],
    ])
    expect(routeOf(printConfig(folder, mail, {}))).toBe('none')
  })

  it.each([
    [{ ALERT_MAIL_TO: 'ops@shop.example' }, 'ALERT_MAIL_TO needs ALERT_MAIL_FROM'],
    [{ ...mail, ALERT_SMTP_SERVER: '' }, 'ALERT_MAIL_TO needs ALERT_SMTP_SERVER, as host:port'],
    [{ ...mail, ALERT_SMTP_USER: 'robot' }, 'ALERT_SMTP_USER needs the secret alert_smtp_password'],
    [{ ALERT_TELEGRAM_CHAT: '-1' }, 'ALERT_TELEGRAM_CHAT needs the secret alert_telegram_token'],
    [{ ALERT_TELEGRAM_CHAT: '@shop' }, 'ALERT_TELEGRAM_CHAT must be the number of a chat'],
    [{ ALERT_TELEGRAM_CHAT: '-' }, 'ALERT_TELEGRAM_CHAT must be the number of a chat'],
  ])('refuses %j', (env, message) => {
    expect(printConfig(folder, env, {})).toMatchObject({ status: 1, stderr: `alertmanager: ${message}\n` })
  })
})
