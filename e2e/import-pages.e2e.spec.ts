import { expect, jest } from '@jest/globals'
import { startProduct } from '@partsbus/local-stack/running-product'
import { ROOT } from './testing/shop.js'
import { describePages, scenario, usePages, type Visitor } from './pages/browser.js'
import { createList, ended, longFile, readTask, upload } from './pages/lists.js'
import { createPerson } from './pages/people.js'

/** So many that the import outlasts a restart of the gateway, and of a tab on a slow machine. */
const ROWS = 1_000_000
const IMPORT_MS = 240_000
/** The line of a running import: `61 % · 112,240 of 184,020 rows · 12,400 rows per second · about 6 s left`. */
const LINE = /^([\d.]+)% · ([\d,]+) of [\d,]+ rows/
const FULL_LINE = /rows · [\d,]+ rows per second · about [\d.]+ (ms|s|min) left$/
/** A dead gateway is a failed request, and Chromium writes it to the console. */
const LOST = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/

describePages('a long import', () => {
  // another worker takes over the import of a killed one after this
  const pages = usePages(() => startProduct({ root: ROOT, env: { IMPORT_LEASE_MS: '6000' } }))
  jest.setTimeout(480_000)

  const start = async (visitor: Visitor, what: string, rows: number): Promise<number> => {
    const list = await createList(pages.admin(), what)
    await visitor.signIn(await createPerson(pages.admin(), pages.product().url, 'manager'))
    return upload(pages.admin(), list.id, longFile(rows))
  }
  /** Reads the page until the import is completed. @returns each line that was shown */
  const watch = async ({ page }: Visitor, isEnough: (line: string) => boolean = () => false): Promise<string[]> => {
    const lines: string[] = []
    const line = page.getByText(LINE)
    const isOver = page.getByText('Completed', { exact: true })
    const until = performance.now() + IMPORT_MS
    while (performance.now() < until) {
      const text = (await line.or(isOver).first().innerText()).trim()
      if (text === 'Completed') return lines
      if (text !== lines.at(-1)) lines.push(text)
      if (isEnough(text)) return lines
    }
    throw new Error(`The import did not end in time: ${lines.at(-1)}`)
  }
  const shares = (lines: string[]) => lines.map((line) => Number(LINE.exec(line)?.[1]))
  const counts = (lines: string[]) => lines.map((line) => Number(LINE.exec(line)?.[2]?.replaceAll(',', '')))
  const expectRising = (values: number[]) => expect(values).toEqual(values.toSorted((a, b) => a - b))
  const expectFiguresOfApi = async ({ page }: Visitor, id: number, rows: number) => {
    const task = await ended(pages.admin(), id)
    expect(task).toMatchObject({ status: 'completed', total_rows: rows, imported_rows: rows, skipped_rows: 0 })
    for (const [name, value] of [
      ['Rows', task.total_rows],
      ['Imported', task.imported_rows],
      ['Skipped', task.skipped_rows],
    ] as const) {
      const fact = page.locator('dl > div').filter({ has: page.locator('dt').getByText(name, { exact: true }) })
      await fact.getByText(value.toLocaleString('en'), { exact: true }).waitFor()
    }
  }

  scenario('18: the figures of a long import only rise, also in a tab that is opened again', pages, async (visitor) => {
    const id = await start(visitor, 'Long', ROWS)
    await visitor.open(`/imports/${id}`)
    const before = await watch(visitor, (line) => FULL_LINE.test(line) && !line.startsWith('0%'))
    await visitor.page.close()
    const again = await pages.visit({ storageState: await visitor.context.storageState() })
    await again.open(`/imports/${id}`)
    const after = await watch(again)
    const lines = [...before, ...after]
    expect(lines.filter((line) => FULL_LINE.test(line)).length).toBeGreaterThan(3)
    expectRising(shares(lines))
    expectRising(counts(lines))
    expect(after.length).toBeGreaterThan(1)
    await expectFiguresOfApi(again, id, ROWS)
  })

  scenario('19: the page outlives a restart of the gateway and a killed import', pages, async (visitor) => {
    const { page } = visitor
    const id = await start(visitor, 'Disturbed', ROWS)
    await visitor.open(`/imports/${id}`)
    const seen = await watch(visitor, (line) => (counts([line])[0] ?? 0) > 0)
    await pages.product().kill('gateway', 'SIGTERM')
    await page.getByText('Connection lost: reconnecting …').waitFor()
    await page.getByText('Connection lost: reconnecting …').waitFor({ state: 'detached' })
    await pages.product().waitUntilReady()
    seen.push(...(await watch(visitor, (line) => (counts([line])[0] ?? 0) > (counts(seen).at(-1) ?? 0))))
    expect((await readTask(pages.admin(), id)).status).toBe('processing')

    await pages.product().kill('pricing-import')
    await page.getByText('Waiting for the price-list service. The import continues automatically.').waitFor()
    seen.push(...(await watch(visitor)))
    expectRising(counts(seen))
    await expectFiguresOfApi(visitor, id, ROWS)
    visitor.problems.splice(0, Infinity, ...visitor.problems.filter((problem) => !LOST.test(problem)))
  })
})
