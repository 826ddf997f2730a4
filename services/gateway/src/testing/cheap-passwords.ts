import { afterAll, beforeAll, jest } from '@jest/globals'
import { COST } from '../admin/administrators/password.js'

/** For a spec that signs in a hundred times and is not about the cost of passwords: a sixth of it. */
export function useCheapPasswords(): void {
  beforeAll(() => {
    jest.replaceProperty(COST, 'N', 2 ** 14)
    jest.replaceProperty(COST, 'p', 1)
  })
  afterAll(() => void jest.restoreAllMocks())
}
