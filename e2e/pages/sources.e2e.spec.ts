import { afterAll, beforeAll, expect } from '@jest/globals'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@partsbus/local-stack/free-port'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { FtpSrv } from 'ftp-srv'
import { describePages, scenario, usePages } from './browser.js'
import { createList, ended, liveArticles, priceFile } from './lists.js'
import { createPerson } from './people.js'

const PASSWORD = 'Word-of-the-supplier-77'
const quiet = { child: () => quiet, trace() {}, debug() {}, info() {}, warn() {}, error() {} }

describePages('sources', () => {
  const pages = usePages()
  let ftp: FtpSrv
  let folder = ''
  let port = 0

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'partsbus-pages-ftp-'))
    port = await findFreePort()
    ftp = new FtpSrv({ url: `ftp://127.0.0.1:${port}`, pasv_url: '127.0.0.1', log: quiet })
    ftp.on('login', ({ username, password }, resolve, reject) => {
      if (username === 'shop' && password === PASSWORD) resolve({ root: folder })
      else reject(new Error('no'))
    })
    await ftp.listen()
  })
  afterAll(async () => {
    await ftp?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  scenario('24: an FTP source is tested, run, and keeps its password when it is saved', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const list = await createList(admin, 'Fetched')
    await visitor.signIn(await createPerson(admin, pages.product().url, 'manager'))
    const put = (article: string) => writeFileSync(join(folder, `price-${article}.csv`), priceFile([article]))
    put('FTP-1')
    await visitor.open(`/price-lists/${list.id}/sources`)
    await page.getByRole('button', { name: 'Add an FTP server' }).click()
    await page.getByLabel('Server', { exact: true }).fill('127.0.0.1')
    await page.getByLabel('Port', { exact: true }).fill(String(port))
    await page.getByLabel('User name', { exact: true }).fill('shop')
    await page.getByLabel('Password', { exact: true }).fill('a wrong password')
    await page.getByLabel('File name', { exact: true }).fill('price-*.csv')
    await page.getByRole('button', { name: /^Test/ }).click()
    await page.getByText('The server refuses the user name or the password.').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: /^Test/ }).click()
    await page.getByText(/^price-FTP-1\.csv, /).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The sources are saved').waitFor()
    // the stored password is used from here on
    await page.getByRole('button', { name: /^Test/ }).click()
    await page.getByRole('link', { name: 'See its columns' }).click()
    await page.getByRole('heading', { name: 'File: price-FTP-1.csv' }).waitFor()
    await page.getByText('1 row · 1 importable').waitFor()
    await page.goBack()

    const run = async () => {
      const answered = page.waitForResponse((response) => response.url().endsWith('/run'))
      await page.getByRole('button', { name: /^Run now/ }).click()
      return (await (await answered).json()) as { task_id: number }
    }
    // a new source is due at once, so its schedule may have fetched the file already
    await run()
    await waitFor(
      () => liveArticles(admin, list.id),
      (articles) => articles.join() === 'FTP-1',
      60_000,
    )
    await page.getByLabel('Interval, minutes').fill('90')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Discard' }).and(page.locator(':disabled')).waitFor()
    expect(await page.content()).not.toContain(PASSWORD)
    rmSync(join(folder, 'price-FTP-1.csv'))
    put('FTP-2')
    const { task_id } = await run()
    await page.getByText(`Import ${task_id} was started.`).waitFor()
    expect(await ended(admin, task_id)).toMatchObject({ status: 'completed' })
    expect(await liveArticles(admin, list.id)).toEqual(['FTP-2'])
  })

  scenario('who can allow an address that is not public is said once', pages, async (visitor) => {
    const { page } = visitor
    const list = await createList(pages.admin(), 'Private')
    await visitor.signIn(await createPerson(pages.admin(), pages.product().url, 'manager'))
    await visitor.open(`/price-lists/${list.id}/sources`)
    await page.getByRole('button', { name: 'Add a web address' }).click()
    await page.getByLabel('Address of the file').fill('http://10.1.2.3/price.csv')
    await page.getByRole('button', { name: /^Test/ }).click()
    await page.getByText(/whoever runs this server can allow it with SOURCE_ALLOWED_HOSTS/).waitFor()
    expect(await page.getByText(/not public/).count()).toBe(1)
  })
})
