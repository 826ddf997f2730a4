import { describe, expect, it } from '@jest/globals'
import { checkCitations, citationsIn, coveragePage, withPromiseTests } from './citations.mjs'

/** A citation put together here, so that this file cites nothing itself. */
const cite = (anchor: string, page = 'erp') => `${page}.md#${anchor}`

const PAGE = `# The API

## <a id="products"></a>Products

1. <a id="products-1"></a>One.
2. <a id="products-2"></a>Two.

## <a id="ping"></a>Ping
`

function tree(files: Record<string, string>) {
  const all = { 'docs/spec/erp.md': PAGE, ...files }
  return Object.entries(all).map(([path, text]) => ({ path, text, bytes: text.length }))
}

function complaints(files: Record<string, string>) {
  return checkCitations(tree(files))
}

/** A spec with one test, and a comment directly above it. */
const spec = (comment: string) => `// ${comment}\nit('works', () => {})\n`

const tested = { 'e2e/all.e2e.spec.ts': spec(`${cite('products-1')} to ${cite('products-2')}, ${cite('ping')}`) }

/** All rules but `ping`. */
const rest = { 'e2e/rest.e2e.spec.ts': spec(`${cite('products-1')} to ${cite('products-2')}`) }
const untested = (anchor: string) => `docs/spec/erp.md  no test cites docs/spec/${cite(anchor)}`

describe('citations of the specification', () => {
  it('accepts a tree whose rules are all cited by tests', () => {
    expect(complaints(tested)).toEqual([])
  })

  it('needs no test of a heading that has rules below it', () => {
    expect(complaints(tested).filter((line) => line.endsWith('#products'))).toEqual([])
  })

  it('resolves a range of numbered rules to its members', () => {
    const text = `${cite('products-1')} to ${cite('products-3')}`
    expect(citationsIn(text).map(({ anchor }) => anchor)).toEqual(['products-1', 'products-2', 'products-3'])
  })

  it.each([
    ['an unknown anchor', cite('products-9')],
    ['an unknown page', cite('products-1', 'shop')],
    ['an unknown page without an anchor', ['docs', 'decisions/0099-none.md'].join('/')],
  ])('reports %s with file and line', (_what, citation) => {
    const source = { 'services/stock/src/a.ts': `// fine\n// ${citation}` }
    expect(complaints({ ...tested, ...source })).toEqual([
      `services/stock/src/a.ts:2  cites ${citation}, which does not exist`,
    ])
  })

  it('needs the tests of a promise below it', () => {
    const promise = '1. <a id="promise-1"></a>**Durable.** It stays.\n\n   Tests: '
    const files = {
      ...tested,
      'e2e/faults.e2e.spec.ts': spec(cite('promise-1', 'promises')),
      'e2e/other.e2e.spec.ts': '',
    }
    const page = (tests: string) => complaints({ ...files, 'docs/spec/promises.md': `${promise}${tests}` })
    const stale = 'docs/spec/promises.md  is out of date: run `node scripts/check/citations.mjs --write`'
    expect(page('`e2e/faults.e2e.spec.ts`.')).toEqual([])
    expect([page(''), page('`e2e/other.e2e.spec.ts`.')]).toEqual([[stale], [stale]])
    const fresh = { path: 'docs/spec/promises.md', text: `${promise}.\n`, bytes: 0 }
    expect(withPromiseTests(fresh, [...tree(files), fresh])).toBe(`${promise}\`e2e/faults.e2e.spec.ts\`.\n`)
  })

  it('names a rule that only code cites', () => {
    const source = { 'services/stock/src/a.ts': `// ${cite('products-1')} to ${cite('products-2')}` }
    const specs = { 'services/stock/src/a.spec.ts': spec(`${cite('products-2')}, ${cite('ping')}`) }
    expect(complaints({ ...source, ...specs })).toEqual([untested('products-1')])
  })

  it.each([
    ['the name of a test', `it('works (${cite('ping')})', () => {})`],
    ['the name of a group', `describe('pings (${cite('ping')})', () => {})`],
    ['the name of a table of tests', `  ])('%s (${cite('ping')})', () => {})`],
    ['a name on a line of its own', `  it(\n    'works (${cite('ping')})',`],
    ['a row of a table that becomes a name', `it.each([\n  ['works (${cite('ping')})', 1],\n])('%s', () => {})`],
    ['a comment of several lines above a table', `// ${cite('ping')},\n// and more\nit.each<Row>([\n`],
    ['a block comment above a group', `/**\n * ${cite('ping')}\n */\ndescribe.each([\n`],
  ])('counts %s', (_what, text) => {
    expect(complaints({ ...rest, 'services/stock/src/a.spec.ts': text })).toEqual([])
  })

  it.each([
    ['above the first statement of a spec', 'a.spec.ts', `/** ${cite('ping')} */\nconst LIMIT = 5\nit('works')`],
    ['inside a test', 'a.spec.ts', `it('works', () => {\n  // ${cite('ping')}\n  await keep()\n})`],
    ['with a blank line below', 'a.spec.ts', `// ${cite('ping')}\n\nit('works', () => {})`],
    ['behind a statement', 'a.spec.ts', `const LIMIT = 5 // ${cite('ping')}\nit('works', () => {})`],
    ['in code that tests share', 'testing/shop.ts', spec(cite('ping'))],
  ])('does not count a comment %s', (_what, path, text) => {
    expect(complaints({ ...rest, [`services/stock/src/${path}`]: text })).toEqual([untested('ping')])
  })

  it('reports an anchor that a page defines twice', () => {
    expect(complaints({ ...tested, 'docs/spec/rules.md': '<a id="x"></a> <a id="x"></a>' })).toContain(
      'docs/spec/rules.md  has the anchor x twice',
    )
  })

  it('lists code and tests of each rule, sorted', () => {
    const tests = { 'e2e/b.e2e.spec.ts': spec(cite('ping')), 'e2e/a.e2e.spec.ts': spec(cite('ping')) }
    const page = coveragePage(tree({ ...tests, 'bench/c.ts': cite('ping'), 'e2e/testing/d.ts': cite('ping') }))
    const row = `| [ping](${cite('ping')}) | \`bench/c.ts\` | \`e2e/a.e2e.spec.ts\`<br>\`e2e/b.e2e.spec.ts\` |`
    expect(page).toContain(row)
  })
})

describe('files that guides name', () => {
  const source = { 'services/stock/src/a.ts': '' }

  it('accepts files of the tree and patterns', () => {
    const text = '`services/stock/src/a.ts`, `services/stock`, `services/*/src/b.ts`, `services/<name>/src/b.ts`'
    expect(complaints({ ...tested, ...source, 'docs/develop/flows.md': text })).toEqual([])
  })

  it('reports a file that does not exist', () => {
    expect(complaints({ ...tested, ...source, 'docs/develop/flows.md': '\n`services/stock/src/b.ts`' })).toEqual([
      'docs/develop/flows.md:2  names services/stock/src/b.ts, which does not exist',
    ])
  })

  it('does not read decision records, which name files of their time', () => {
    const record = '# 0001. A\n\n- Status: accepted\n- Date: 2026-11-21\n\n`services/stock/src/b.ts`'
    const index = { 'docs/decisions/README.md': '[0001](0001-bus-client.md)' }
    expect(complaints({ ...tested, ...index, 'docs/decisions/0001-bus-client.md': record })).toEqual([])
  })
})

it('reports a decision record without its head, or that is not listed', () => {
  expect(complaints({ ...tested, 'docs/decisions/0001-bus-client.md': '# A' })).toEqual([
    expect.stringContaining('docs/decisions/0001-bus-client.md  begins otherwise'),
    'docs/decisions/0001-bus-client.md  is not listed in docs/decisions/README.md',
  ])
})

describe('links of markdown files', () => {
  it.each([
    ['a file', '[x](docs/spec/erp.md)'],
    ['a folder', '[x](docs/spec)'],
    ['an anchor', `[x](docs/spec/${cite('products-1')})`],
    ['a heading', `[x](docs/spec/${cite('the-api')})`],
    ['a heading of the same page', '# A page, with `code`\n\n[x](#a-page-with-code)'],
    ['another site', '[x](https://example.com/none)'],
    ['code', '`[x](none.md)`\n\n```\n[x](none.md)\n```'],
  ])('accepts %s', (_what, text) => {
    expect(complaints({ ...tested, 'README.md': text })).toEqual([])
  })

  it.each([
    ['[x](bench/none.md)', 'README.md:1  links to bench/none.md, which does not exist'],
    [`[x](docs/spec/${cite('none')})`, `README.md:1  links to docs/spec/${cite('none')}: no such heading or anchor`],
    ['[x](#none)', 'README.md:1  links to #none: no such heading or anchor'],
  ])('reports %s', (text, complaint) => {
    expect(complaints({ ...tested, 'README.md': text })).toEqual([complaint])
  })
})
