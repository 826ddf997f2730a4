import { expect } from '@jest/globals'
import { describePages, scenario, usePages } from './browser.js'
import { createPerson, type Role } from './people.js'
import { pagePaths } from './routes.js'

/** Of the map of the pages; every other page opens for a viewer. */
const LEAST_ROLE: Record<string, Role> = { '/audit': 'manager', '/administrators': 'owner' }
const ROLES: readonly Role[] = ['viewer', 'manager', 'owner']
const SIGNED_OUT = ['/join', '/sign-in']
const PATHS = pagePaths.filter((path) => !SIGNED_OUT.includes(path))

describePages('roles', () => {
  const pages = usePages()

  scenario('39: every page leads a stranger to sign-in, and back', pages, async (visitor) => {
    for (const path of PATHS) {
      await visitor.open(path.replaceAll('$id', '7'))
      await visitor.page.getByRole('heading', { name: 'Sign in' }).waitFor()
      const next = new URLSearchParams(new URL(visitor.page.url()).search).get('next') ?? '/'
      expect(next).toBe(path.replaceAll('$id', '7'))
    }
  })

  for (const role of ROLES) {
    scenario(`39: opens to a ${role} what the role may read, and asks for nothing else`, pages, async (visitor) => {
      const { page } = visitor
      const refused: string[] = []
      page.on('response', (response) => {
        if (response.status() === 403) refused.push(`${page.url()} asked for ${response.url()}`)
      })
      await visitor.signIn(await createPerson(pages.admin(), pages.product().url, role))
      // what opens to a viewer opens to everybody
      const paths = role === 'viewer' ? PATHS : Object.keys(LEAST_ROLE)
      const opened: string[] = []
      for (const path of paths) {
        await visitor.open(path.replaceAll('$id', '999999'))
        await page.locator('main h1').waitFor()
        await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
        if (!(await page.getByText('Not for your role').first().isVisible())) opened.push(path)
      }
      const mayOpen = (path: string) => ROLES.indexOf(role) >= ROLES.indexOf(LEAST_ROLE[path] ?? 'viewer')
      expect(opened).toEqual(paths.filter(mayOpen))
      expect(refused).toEqual([])
      const entries = await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link').allInnerTexts()
      expect([entries.includes('Audit'), entries.includes('Administrators')]).toEqual([
        mayOpen('/audit'),
        mayOpen('/administrators'),
      ])
    })
  }
})
