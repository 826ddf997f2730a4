import { expect } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describePages, scenario, usePages, type Visitor } from './browser.js'
import { pagePaths } from './routes.js'

const require = createRequire(import.meta.url)
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
/** A parameter stands for a thing that is not there, which a page has to say. */
const PATHS = pagePaths.map((path) => path.replaceAll('$id', '999999'))
const VIEWS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1440, 390].map((width) => ({ colorScheme, viewport: { width, height: 900 } })),
)

interface Violation {
  id: string
  help: string
  nodes: { html: string; failureSummary?: string }[]
}

describePages('every page', () => {
  const pages = usePages()

  /** What is loaded last is there: no skeleton, and no request under way. */
  const settle = async ({ page }: Visitor) => {
    await page.locator('h1').first().waitFor()
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  }
  const violations = async ({ page }: Visitor): Promise<string[]> => {
    await page.evaluate(AXE)
    const found = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as Violation[]
    return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
  }

  scenario('lists the routes', pages, async () => {
    expect(PATHS).toEqual(expect.arrayContaining(['/', '/sign-in', '/join']))
  })

  for (const view of VIEWS) {
    scenario(
      `is accessible and not wider than the window: ${view.colorScheme}, ${view.viewport.width} px`,
      pages,
      async () => {
        const visitor = await pages.visit(view)
        await visitor.signIn()
        const found: string[] = []
        for (const path of PATHS) {
          await visitor.open(path)
          await settle(visitor)
          found.push(...(await violations(visitor)).map((violation) => `${path} ${violation}`))
          const overflow = await visitor.page.evaluate('document.documentElement.scrollWidth - innerWidth')
          if (Number(overflow) > 0) found.push(`${path} is ${overflow} px wider than the window`)
        }
        expect(found).toEqual([])
      },
    )
  }

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
