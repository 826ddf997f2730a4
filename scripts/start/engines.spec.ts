import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const allowed = (JSON.parse(read('package.json')) as { engines: { node: string } }).engines.node

type Version = [major: number, minor: number, patch: number]

function compare(one: Version, other: Version): number {
  const at = one.findIndex((part, position) => part !== other[position])
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0)
}

/** As npm compares them, for the forms that the lockfile has. */
function matches(version: Version, range: string): boolean {
  const comparators = (part: string) =>
    part
      .replaceAll(/([<>=^~])\s+/g, '$1')
      .trim()
      .split(/\s+/)
  return range.split('||').some((part) => comparators(part).every((each) => matchesOne(version, each)))
}

function matchesOne(version: Version, comparator: string): boolean {
  const [, operator = '', text = ''] = /^([<>]=?|[=^~])?v?(.*)$/.exec(comparator) ?? []
  const parts = text.split('.').filter((part) => /^\d+$/.test(part))
  const [major = 0, minor = 0, patch = 0] = parts.map(Number)
  const order = compare(version, [major, minor, patch])
  if (parts.length === 0) return true
  if (operator === '>=') return order >= 0
  if (operator === '>') return order > 0
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  const fixed = operator === '^' ? 1 : operator === '~' ? Math.min(2, parts.length) : parts.length
  return order >= 0 && version.slice(0, fixed).every((part, at) => part === [major, minor, patch][at])
}

/** It asks for a later 22 than it needs; `npm start` uses it, and with Docker only. */
const UNKEPT = /^testcontainers@/

/** The packages of the lockfile that would print UNSUPPORTED ENGINE. */
function unsupported(version: Version): string[] {
  const engines = read('pnpm-lock.yaml').matchAll(
    /^ {2}(\S.*):\n(?: {4}.*\n)*? {4}engines: \{(?:.*, )?node: ([^,}]+)/gm,
  )
  return [...engines].flatMap(([, name = '', range = '']) =>
    matches(version, range.replaceAll(/['"]/g, '')) ? [] : [`${name} ${range}`],
  )
}

describe('the Node versions that the manifest allows', () => {
  const lowest = allowed.split('||').map((range) => {
    const [major = 0, minor = 0, patch = 0] = (range.match(/\d+/g) ?? []).map(Number)
    return [major, minor, patch] as Version
  })

  it.each([...lowest, [22, 22, 0], [24, 21, 0], [27, 0, 0]] as Version[])(
    'include %i.%i.%i, which every dependency supports',
    (...version) => {
      expect(matches(version, allowed)).toBe(true)
      expect(unsupported(version).filter((one) => !UNKEPT.test(one))).toEqual([])
    },
  )

  it('leave out those that a dependency refuses', () => {
    for (const version of [
      [20, 20, 2],
      [22, 18, 0],
      [23, 11, 0],
      [25, 9, 0],
    ] as Version[]) {
      expect(matches(version, allowed)).toBe(false)
      expect(unsupported(version)).not.toEqual([])
    }
  })

  it('are those of docs/develop/npm-start.md', () => {
    expect(read('docs/develop/npm-start.md')).toMatch(/Node 22\.19, 24 \S+ \S+ \(/)
  })
})
