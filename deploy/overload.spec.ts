import { describe, expect, it } from '@jest/globals'
import { read, sources } from './testing/checkout.js'

/** The cells of each row of the table of shared resources. */
function tableRows(): string[][] {
  const [, table = ''] = read('docs/spec/rules.md').split('<a id="shared-resources"></a>')
  return table
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('#'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
}

const numbersIn = (text: string): number[] =>
  [...text.matchAll(/\d[\d,_]*/g)].map(([digits]) => Number(digits.replace(/[,_]/g, '')))

/** The text after `NAME =` of a constant. */
function initializer(path: string, name: string): string {
  const found = new RegExp(`\\bconst ${name}\\b[^=]*=\\s*(\\{[^}]*\\}|[^\\n]*)`).exec(read(path))?.[1]
  if (found === undefined) throw new Error(`${path} has no constant ${name}`)
  return found
}

describe('shared resources (rules.md#shared-resources)', () => {
  const rows = tableRows()

  it.each(rows)('%s%s: %s, %s, %s', (_empty, _resource, bound = '', share = '', memory = '', constant = '') => {
    const [path = '', name = ''] = constant.replaceAll('`', '').split('#')
    const coded = numbersIn(initializer(path, name))
    const own = numbersIn(name === 'QUEUE' ? `${bound} ${share}` : `${bound} ${share} ${memory}`)
    expect(coded).toEqual(expect.arrayContaining(own))
    // a bound that the page does not name
    const limits = [...initializer(path, name).matchAll(/\b(?:requests|ofOne|atOnce|active|slow): ([\d_]+)/g)]
    expect(own).toEqual(expect.arrayContaining(limits.map(([, value = '']) => Number(value.replaceAll('_', '')))))
  })

  it('has every bound of the gateway that callers share', () => {
    const listed = new Set(rows.map(([, , , , , constant = '']) => constant.replaceAll('`', '').split('#')[1]))
    const named = sources('services/gateway/src').flatMap((text) =>
      [...text.matchAll(/const ([A-Z_]+) = \{[^}]*\b(?:requests|ofOne|active): /g)].map(([, name = '']) => name),
    )
    const missing = named.filter((name) => !listed.has(name))
    // the turns of uploads in pricing-import, which the uploads that are received wait for
    expect(missing.filter((name) => name !== 'ACCEPTS')).toEqual([])
    expect(named.length).toBeGreaterThan(10)
  })
})
