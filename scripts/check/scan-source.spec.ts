import { describe, expect, it } from '@jest/globals'
import { importsOf } from './imports-of.mjs'
import { scanSource } from './scan-source.mjs'

const texts = (source: string, kind: string) =>
  scanSource(source)
    .filter((token) => token.kind === kind)
    .map((token) => token.text)

describe('scanning a source', () => {
  it.each([
    ['a // b\n/* c\nd */ e', 'comment', [' b', ' c\nd ']],
    [`'a//b' + "c'd" + 'e\\'f'`, 'string', ['a//b', "c'd", "e\\'f"]],
    ['`a ${b + `c ${d} e` + {f: `g`}.f} h`', 'string', ['a ', 'c ', ' e', 'g', ' h']],
    ['const a = /["\'/*]\\/x/g // end', 'regex', ['/["\'/*]\\/x/g']],
    ['a / b / c; d[0] / 2 / e', 'regex', []],
    ['return /x/.test(y)', 'regex', ['/x/']],
    ['#!/usr/bin/env node\nlet ä_1', 'word', ['let', 'ä_1']],
  ])('%s: its %ss', (source, kind, expected) => {
    expect(texts(source, kind)).toEqual(expected)
  })

  it('counts lines through comments and templates', () => {
    expect(scanSource('/*\n*/ `\n\n` b').at(-1)).toEqual({ kind: 'word', text: 'b', line: 4 })
  })
})

describe('imports of a source', () => {
  it.each([
    [`import a, { type B, c as d } from 'x'`, ['x']],
    [`import * as a from "x"`, ['x']],
    [`import type { A } from 'x'`, ['x']],
    [`import 'x'`, ['x']],
    [`export { a } from 'x'; export * as b from 'y'; export type { C } from 'z'`, ['x', 'y', 'z']],
    [`import(\n  'x'\n)`, ['x']],
    [`let a: import('x').B`, ['x']],
    [`import a = require('x')`, ['x']],
    [`export const from = 'x'; export function f() { return 'y' } export class A { from = 'z' }`, []],
    [`export { a }\nconst b = 'x'`, []],
    [`a.import('x'); import.meta.url; '// import "y"'`, []],
  ])('%s', (source, expected) => {
    expect(importsOf(source).map(({ from }) => from)).toEqual(expected)
  })
})
