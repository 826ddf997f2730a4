import { expect, it } from '@jest/globals'
import { namePortTaken } from './ports.mjs'

const died = new Error(
  'gateway does not start: exit code 1, 5 times in a row.\nThe end of gateway.log:\n' +
    '  {"msg":"listen EADDRINUSE: address already in use 0.0.0.0:8080"}',
)

it('says what to do when another program took the port of a gateway during the start', () => {
  expect(namePortTaken(died, [8080])).toMatchObject({
    message: 'Port 8080 is taken. Free it, or choose another one: PORT=9080 npm start',
  })
})

it('leaves another failure as it is', () => {
  expect(namePortTaken(died, [8090])).toBe(died)
  expect(namePortTaken('x', [8080])).toBe('x')
})
