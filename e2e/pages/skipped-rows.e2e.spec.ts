import { expect } from '@jest/globals'
import { text as readText } from 'node:stream/consumers'
import { describePages, scenario, usePages } from './browser.js'
import { createList, ended, liveArticles, upload } from './lists.js'

const SKIPPED = 100_000
/** For a person it is at once; a slow machine needs as long for the rows at the beginning. */
const WITHIN_MS = 400
const TIMES_THE_FIRST = 4

/** Every second row has no article, and the others no price. */
const skippedRow = (at: number): string => (at % 2 === 0 ? `KYB;;Part ${at};3;100` : `KYB;S-${at};Part ${at};3;?`)

describePages('skipped rows', () => {
  const pages = usePages()

  scenario(
    '22: 100,000 of them are filtered, reached, downloaded, and not imported as a list',
    pages,
    async (visitor) => {
      const { page } = visitor
      const admin = pages.admin()
      const list = await createList(admin, 'Skipped')
      const rows = Array.from({ length: SKIPPED }, (_, at) => skippedRow(at))
      const file = ['Бренд;Артикул;Наименование;Остаток;Цена', 'KYB;LIVE-1;Part;3;100', ...rows].join('\n')
      const task = await ended(admin, await upload(admin, list.id, file), 120_000)
      expect(task).toMatchObject({ status: 'completed', imported_rows: 1, skipped_rows: SKIPPED })
      await visitor.signIn()
      await visitor.open(`/imports/${task.id}`)
      await page.getByLabel('Reason', { exact: true }).selectOption('NO_ARTICLE')
      await page.waitForURL(/code=NO_ARTICLE/)
      const table = page.getByRole('region', { name: /^Skipped rows/ })
      await table.getByRole('cell', { name: 'price not understood' }).first().waitFor({ state: 'detached' })
      expect(await table.getByRole('row').count()).toBe(101)

      const fastest = async (...rows: number[]) => {
        const times: number[] = []
        for (const after of rows) {
          await page.getByLabel('After row').fill(String(after))
          const startedAt = performance.now()
          await page.keyboard.press('Enter')
          const next = after % 2 === 0 ? after + 1 : after + 2
          await table.getByRole('rowheader', { name: next.toLocaleString('en'), exact: true }).waitFor()
          times.push(performance.now() - startedAt)
        }
        console.log(`skipped rows seen after ${times.map(Math.round).join(', ')} ms`)
        return Math.min(...times)
      }
      const atFirst = await fastest(1_000, 2_000, 3_000)
      expect(await fastest(50_000, 70_000, 80_000, 90_000, 99_000)).toBeLessThanOrEqual(
        Math.max(WITHIN_MS, TIMES_THE_FIRST * atFirst),
      )

      const downloaded = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Skipped rows as CSV' }).click()
      const csv = await readText(await (await downloaded).createReadStream())
      expect(csv.trim().split('\n')).toHaveLength(SKIPPED + 1)

      await visitor.open(`/price-lists/${list.id}`)
      const mended = csv.split('\n').slice(0, 3).join('\n').replace(/KYB;;/, 'KYB;MENDED-1;')
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'skipped.csv', mimeType: 'text/csv', buffer: Buffer.from(mended) })
      await page.getByText('This file has only rows that were skipped.').waitFor()
      await page.getByText('Imported as usual, they would replace the whole list.').waitFor()
      expect(await page.getByRole('button', { name: /^(Save and i|I)mport this file$/ }).count()).toBe(0)
      await page.getByRole('button', { name: 'Add these rows to the list' }).click()
      await page.getByText('Live now').waitFor()
      expect((await liveArticles(admin, list.id)).toSorted()).toEqual(['LIVE-1', 'MENDED-1'])
    },
  )
})
