import { expect, jest } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expectStatus, type Page } from '../testing/shop.js'
import { describePages, scenario, usePages, type Visitor } from './browser.js'
import { withErp } from './erp.js'
import { createList, importFile, newName } from './lists.js'
import { pagePaths } from './routes.js'

const require = createRequire(import.meta.url)
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
/** A parameter stands for a thing that is not there, which a page has to say. */
const PATHS = pagePaths.map((path) => path.replaceAll('$id', '999999'))
const SCHEMES = ['light', 'dark'] as const
const WIDTHS = [1440, 390]

const LIST = 'Brand;Article;Name;Price;Quantity\nClaris;OC-1051;Oil filter;10;5\nKYB;;No article;1;1\n'

interface Violation {
  id: string
  help: string
  nodes: { html: string; failureSummary?: string }[]
}

describePages('every page', () => {
  const pages = usePages()
  jest.setTimeout(300_000)

  /** What is loaded last is there: no skeleton, and no request under way. */
  const settle = async ({ page }: Visitor) => {
    await page.locator('h1').first().waitFor()
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  }
  const violations = async ({ page }: Visitor): Promise<string[]> => {
    if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
    // what passes is not described
    const found = (await page.evaluate(
      'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)',
    )) as Violation[]
    return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
  }

  scenario('lists the routes', pages, async () => {
    expect(PATHS).toEqual(expect.arrayContaining(['/', '/sign-in', '/join']))
  })

  /** What is wrong with pages in windows of these widths. */
  const faultsOf = async (paths: readonly string[], colorScheme: (typeof SCHEMES)[number], widths: number[]) => {
    const visitor = await pages.visit({ colorScheme })
    await visitor.signIn()
    const found: string[] = []
    for (const path of paths) {
      await visitor.open(path)
      for (const width of widths) {
        await visitor.page.setViewportSize({ width, height: 900 })
        await settle(visitor)
        found.push(...(await violations(visitor)).map((violation) => `${width} px: ${path} ${violation}`))
        const overflow = await visitor.page.evaluate('document.documentElement.scrollWidth - innerWidth')
        if (Number(overflow) > 0) found.push(`${path} is ${overflow} px wider than the window of ${width} px`)
      }
    }
    return found
  }

  scenario('is accessible and not wider than the window', pages, async () => {
    expect((await Promise.all(SCHEMES.map((scheme) => faultsOf(PATHS, scheme, WIDTHS)))).flat()).toEqual([])
  })

  scenario('is accessible when its menu is open in a narrow window', pages, async (visitor) => {
    await visitor.signIn()
    await visitor.open('/')
    await visitor.page.setViewportSize({ width: 390, height: 900 })
    await settle(visitor)
    await visitor.page.getByRole('button', { name: 'Open the menu' }).click()
    await visitor.page.getByRole('region', { name: 'Language and theme' }).waitFor()
    expect(await violations(visitor)).toEqual([])
  })

  /** The pages of things that are there, with rows, an import that skipped some, and images. */
  const filledPaths = async (): Promise<string[]> => {
    const admin = pages.admin()
    const list = await createList(admin, 'Accessible')
    const { id: task } = await importFile(admin, list.id, LIST)
    const idOf = async (path: string) =>
      expectStatus(await admin.get<Page<{ id: number }>>(path), 200).body.data[0]?.id ?? 0
    const name = newName('Accessible')
    await withErp(admin, pages.product().url, async (erp) => {
      const item = { id_erp: name, name, attributes: [{ name: 'Colour', value: 'red' }] }
      expectStatus(await erp.post('/products/batch-upsert', [item]), 200)
      expectStatus(await erp.post('/stocks/batch-update', [{ product_id_erp: name, quantity: 1 }]), 200)
    })
    const ids: Record<string, number> = {
      products: expectStatus(await admin.get<{ id: number }>(`/products/by-erp-id/${encodeURIComponent(name)}`), 200)
        .body.id,
      'price-lists': list.id,
      imports: task,
      storages: list.storageId,
      points: await idOf('/pick-up-points'),
    }
    return pagePaths
      .filter((path) => path.includes('$id'))
      .map((path) => path.replace('$id', String(ids[path.split('/')[1] ?? ''])))
  }

  scenario('is accessible and not wider than the window when it shows something', pages, async () => {
    const paths = await filledPaths()
    expect(paths.filter((path) => /undefined|\/0(\/|$)/.test(path))).toEqual([])
    const found = await Promise.all([faultsOf(paths, 'light', [1440]), faultsOf(paths, 'dark', [390])])
    expect(found.flat()).toEqual([])
  })

  scenario('says in Russian that it is Russian', pages, async () => {
    const visitor = await pages.visit({ locale: 'ru-RU' })
    await visitor.open('/sign-in')
    await visitor.page.getByRole('heading', { name: 'Вход' }).waitFor()
    expect(await visitor.page.locator('html').getAttribute('lang')).toBe('ru')
  })

  scenario('says that an address has no page', pages, async (visitor) => {
    await visitor.signIn()
    await visitor.open('/nothing/here')
    await visitor.page.getByText('Nothing is at /nothing/here.').waitFor()
  })
})
