import { describe, expect, it } from '@jest/globals'
import { batchOptions } from './batch-options.js'

describe('batchOptions', () => {
  it.each([
    [{}, undefined],
    [{ 'x-result-details': '1' }, { details: true, replace: false }],
    [{ 'x-result-details': '0' }, { details: false, replace: false }],
    [{ 'x-update-mode': ' Replace ' }, { details: false, replace: true }],
    [
      { 'x-update-mode': 'merge', 'x-result-details': '1' },
      { details: true, replace: false },
    ],
  ])('reads %j as %j (erp.md#result-details, erp.md#update-mode)', (headers, options) => {
    expect(batchOptions(headers)).toEqual(options)
  })

  it.each([
    ['x-result-details', 'yes', '0 or 1'],
    ['x-update-mode', '', 'merge or replace'],
    ['x-update-mode', 'constructor', 'merge or replace'],
  ])('refuses %s: %j and names the allowed values', (name, value, allowed) => {
    const text = `The selected ${name} is invalid. It must be ${allowed}.`
    expect(() => batchOptions({ [name]: value })).toThrow(
      expect.objectContaining({ code: 'CONTRACT_VIOLATION', details: { errors: { [name]: [text] } } }),
    )
  })
})
