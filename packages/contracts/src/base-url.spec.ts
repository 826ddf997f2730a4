import { describe, expect, it } from '@jest/globals'
import { withoutTrailingSlashes } from './base-url.js'

describe('withoutTrailingSlashes', () => {
  it.each([
    ['http://gateway:8080', 'http://gateway:8080'],
    ['http://gateway:8080/', 'http://gateway:8080'],
    ['https://shop.example/parts//', 'https://shop.example/parts'],
    ['', ''],
    ['//', ''],
  ])('%j is %j', (url, expected) => {
    expect(withoutTrailingSlashes(url)).toBe(expected)
  })
})
