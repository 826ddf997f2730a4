import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { findFreePort } from '@partsbus/local-stack/free-port'
import type { CommandLine } from '@partsbus/local-stack/parent-death'
import { findAlertmanager } from '@partsbus/local-stack/prometheus'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { stringify } from 'yaml'
import { printConfig } from './testing/alertmanager-config.js'

const program = await findAlertmanager(() => undefined).catch((error: Error) => error)
if (program instanceof Error) console.warn(`skipped: Alertmanager cannot be had: ${program.message}`)
const describeWithAlertmanager = program instanceof Error ? describe.skip : describe

/** What arrived at the mail server and at the addresses of the bot and of the watchdog. */
const mails: string[] = []
const posts: { path: string; body: string }[] = []

/** A server that takes every mail. */
const mailServer = createServer((socket) => {
  let isText = false
  let mail = ''
  socket.on('error', () => undefined)
  socket.write('220 test\r\n')
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    mail += chunk
    if (isText && mail.includes('\r\n.\r\n')) {
      mails.push(mail)
      isText = false
      socket.write('250 stored\r\n')
    } else if (!isText)
      for (const line of chunk.split('\r\n').filter(Boolean)) {
        isText = line === 'DATA'
        socket.write(isText ? '354 go on\r\n' : line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n')
      }
  })
})
const httpServer = createHttpServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk
  })
  request.on('end', () => {
    posts.push({ path: request.url ?? '', body })
    const result = { message_id: 1, date: 1, chat: { id: -1001, type: 'group' } }
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, result }))
  })
})

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

describeWithAlertmanager('Alertmanager with the shipped configuration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-alertmanager-'))
  let alertmanager: ChildProcess
  let url = ''

  beforeAll(async () => {
    const [smtp, http] = [await listen(mailServer), await listen(httpServer)]
    const { config } = printConfig(
      join(folder, 'secrets'),
      {
        ALERT_MAIL_TO: 'ops@shop.example',
        ALERT_MAIL_FROM: 'partsbus@shop.example',
        ALERT_SMTP_SERVER: `127.0.0.1:${smtp}`,
        ALERT_TELEGRAM_CHAT: '-1001',
      },
      { alert_telegram_token: '1:token', alert_watchdog_url: `http://127.0.0.1:${http}/watchdog` },
    )
    const people = config.receivers.find(({ name }) => name === 'people')
    // only what names servers of the internet, and the time to wait for more alerts
    Object.assign(people?.email_configs?.[0] ?? {}, { require_tls: false })
    Object.assign(people?.telegram_configs?.[0] ?? {}, { api_url: `http://127.0.0.1:${http}` })
    Object.assign(config.route, { group_wait: '0s' })
    writeFileSync(join(folder, 'alertmanager.yaml'), stringify(config))
    const port = await findFreePort()
    url = `http://127.0.0.1:${port}`
    const { command, args } = program as CommandLine
    alertmanager = spawn(
      command,
      [
        ...args,
        `--config.file=${join(folder, 'alertmanager.yaml')}`,
        `--storage.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--cluster.listen-address=',
      ],
      { stdio: 'ignore' },
    )
    const isReady = () =>
      fetch(`${url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    await waitFor(isReady, Boolean, 90_000)
  }, 120_000)
  afterAll(async () => {
    alertmanager?.kill('SIGKILL')
    if (alertmanager?.exitCode === null) await once(alertmanager, 'exit')
    mailServer.close()
    httpServer.closeAllConnections()
    httpServer.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('brings an alert by mail and to the chat, and the watchdog to its listener alone', async () => {
    const alerts = [
      {
        labels: { alertname: 'PartsbusServiceMissing', severity: 'critical', service: 'stock' },
        annotations: {
          summary: 'No replica of stock <answers>',
          runbook_url: 'docs/operate/runbooks/service-missing.md',
        },
      },
      { labels: { alertname: 'PartsbusWatchdog', severity: 'none' }, annotations: { summary: 'Always fires' } },
    ]
    const headers = { 'content-type': 'application/json' }
    const { status } = await fetch(`${url}/api/v2/alerts`, { method: 'POST', headers, body: JSON.stringify(alerts) })
    expect(status).toBe(200)
    await waitFor(
      async () => [mails.length, posts.length],
      ([mail = 0, post = 0]) => mail > 0 && post > 1,
      60_000,
    )
    expect(mails.join()).toContain('To: ops@shop.example')
    expect(mails.join()).toContain('PartsbusServiceMissing')
    const chat = posts.filter(({ path }) => path.includes('1:token'))
    expect(chat.map(({ body }) => (JSON.parse(body) as { text: string }).text.trim())).toEqual([
      'No replica of stock <answers>\nPartsbusServiceMissing, critical, docs/operate/runbooks/service-missing.md',
    ])
    const watchdog = posts.filter(({ path }) => path === '/watchdog')
    expect(watchdog.map(({ body }) => body).join()).toContain('PartsbusWatchdog')
    expect([...mails, ...chat.map(({ body }) => body)].join()).not.toContain('PartsbusWatchdog')
  }, 120_000)
})
