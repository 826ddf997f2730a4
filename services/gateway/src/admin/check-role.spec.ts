import { expect, it } from '@jest/globals'
import type { Role } from '@partsbus/contracts/http/row'
import { AppError } from '@partsbus/contracts/app-error'
import type { FastifyRequest } from 'fastify'
import { tokenHolder } from './administrators/request-administrator.js'
import { assertRole } from './check-role.js'

function outcome(role: 'viewer' | 'manager' | 'owner', config: { role?: Role }): unknown {
  const administrator = { ...tokenHolder, role }
  try {
    assertRole({ administrator, routeOptions: { config } } as unknown as FastifyRequest)
    return 'allowed'
  } catch (error) {
    return error instanceof AppError ? [error.code, error.message] : error
  }
}

const refused = ['FORBIDDEN', 'Your role does not allow this.']

it.each([
  ['viewer', 'allowed', refused, refused],
  ['manager', 'allowed', 'allowed', refused],
  ['owner', 'allowed', 'allowed', 'allowed'],
] as const)('a %s may use the routes of the roles below (admin.md#roles)', (role, viewers, managers, owners) => {
  expect(outcome(role, { role: 'viewer' })).toEqual(viewers)
  expect(outcome(role, { role: 'manager' })).toEqual(managers)
  expect(outcome(role, { role: 'owner' })).toEqual(owners)
})

it("a route without a role is the owner's", () => {
  expect(outcome('manager', {})).toEqual(refused)
  expect(outcome('owner', {})).toBe('allowed')
})
