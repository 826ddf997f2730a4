import { expect, it, jest } from '@jest/globals'
import { processList } from './process-list.mjs'

it('reports a list that cannot be written, and does not throw: the supervisor that calls it must go on', () => {
  const print = jest.spyOn(console, 'error').mockImplementation(() => undefined)
  processList('/nonexistent', () => [])()
  expect(print).toHaveBeenCalledWith(
    expect.stringMatching(/^\/nonexistent\/processes\.json cannot be written: .*ENOENT/),
  )
  print.mockRestore()
})
