import { beforeAll, describe, expect, it } from '@jest/globals'
import { type AdminPath, adminPaths, adminRows } from '@partsbus/contracts/http/admin'
import { roles } from '@partsbus/contracts/http/row'
import { ApiClient, type ApiResponse, type Method } from '../testing/api-client.js'
import { useShop } from '../testing/contract-product.js'
import { expectStatus } from '../testing/shop.js'

/** Every call of the admin API by every role. */
const open = useShop()

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }
const REFUSED = { message: 'Your role does not allow this.' }
const people = ['anonymous', 'viewer', 'manager', 'owner'] as const
type Person = (typeof people)[number]

const credentials = new Map<Person, Record<string, string>>([['anonymous', SAME_ORIGIN]])

/** A new administrator of a role, who has set a password. */
async function join(role: string): Promise<Record<string, string>> {
  const { admin, product } = open()
  const name = `roles-${role}-${Date.now()}`
  const invited = expectStatus(
    await admin.post<{ invitation: { token: string } }>('/administrators', { name, role }),
    201,
  )
  const outside = new ApiClient(`${product.url}/api/admin`, SAME_ORIGIN)
  const body = { token: invited.body.invitation.token, password: 'correct horse battery' }
  const accepted = expectStatus(await outside.post('/invitation', body), 200)
  outside.close()
  const [cookie = ''] = accepted.headers['set-cookie'] ?? []
  return { ...SAME_ORIGIN, cookie: cookie.split(';')[0] ?? '' }
}

/** Sends a call about resources that do not exist, with a body that is not JSON. */
async function send(path: AdminPath, headers: Record<string, string>): Promise<ApiResponse<{ message?: string }>> {
  const [method, url = ''] = path.split(' ') as [Method, string]
  const client = new ApiClient(`${open().product.url}/api/admin`, { ...headers, 'content-type': 'application/json' })
  const isRead = method === 'GET'
  const filled = url.replaceAll(/:\w+/g, '987654321').replace('*', 'none')
  const answer = await client.send<{ message?: string }>(method, filled, isRead ? {} : { body: '{' })
  client.close()
  return answer
}

beforeAll(async () => {
  for (const role of ['viewer', 'manager', 'owner'] as const) credentials.set(role, await join(role))
})

// admin.md#roles
describe.each(people)('%s', (person) => {
  // a call that would end the session of the others
  const signsOut = (path: AdminPath): boolean => /^DELETE \/sessions?$/.test(path)

  it.each(adminPaths)('%s', async (path) => {
    const { role: least } = adminRows[path]
    const headers = signsOut(path) && person !== 'anonymous' ? await join(person) : credentials.get(person)
    const { status, body } = await send(path, headers ?? {})
    if (least === 'nobody') expect(status).toBe(path.startsWith('GET ') ? 200 : 400)
    else if (person === 'anonymous') expect([status, body]).toEqual([401, { message: 'Unauthenticated.' }])
    else if (roles.indexOf(person) < roles.indexOf(least)) expect([status, body]).toEqual([403, REFUSED])
    else expect([401, 403, 405, 500, 501]).not.toContain(status)
  })
})

describe('the order of the checks (admin.md#cross-site)', () => {
  const CROSS_SITE = { message: 'Cross-site requests are not allowed.' }
  const ask = async (method: Method, url: string, headers: Record<string, string>) => {
    const client = new ApiClient(`${open().product.url}/api/admin`, headers)
    const { status, body } = await client.send<object>(method, url, { body: '{' })
    client.close()
    return [status, body]
  }

  it('a request of another site is refused before its path, its role and its body', async () => {
    const headers = { ...credentials.get('viewer'), 'sec-fetch-site': 'cross-site' }
    expect(await ask('POST', '/nowhere', headers)).toEqual([403, CROSS_SITE])
    expect(await ask('PATCH', '/settings', headers)).toEqual([403, CROSS_SITE])
    expect(await ask('POST', '/settings/erp-token', headers)).toEqual([403, CROSS_SITE])
  })

  it('an unknown path and a method that it lacks are named before the role', async () => {
    const headers = credentials.get('viewer') ?? {}
    expect(await ask('POST', '/nowhere', headers)).toEqual([404, { message: 'Not found.' }])
    expect(await ask('DELETE', '/settings', headers)).toEqual([405, { message: 'Method not allowed.' }])
    expect(await ask('PATCH', '/settings', headers)).toEqual([403, REFUSED])
  })
})
