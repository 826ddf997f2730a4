import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { openStubApp } from '../testing/stub-app.js'

type StubApp = Awaited<ReturnType<typeof openStubApp>>

let stub: StubApp

beforeAll(async () => {
  stub = await openStubApp()
})
beforeEach(async () => {
  await stub.reset({})
  await stub.administration.revokeToken('b2b')
})
afterAll(() => stub.close())

const post = async (path: string, authorization?: string) => {
  const response = await stub.ask({
    method: 'POST',
    url: `/api/b2b${path}`,
    headers: authorization === undefined ? {} : { authorization },
    body: '{',
  })
  return [response.statusCode, response.body]
}
const body = (message: string) => JSON.stringify({ result: false, message })

describe('B2B authentication (partners.md#authentication, bad-inputs.md#input-59)', () => {
  it('disabled: 503, whatever else is wrong', async () => {
    expect(await post('/nowhere')).toEqual([503, body('B2B API is disabled.')])
  })

  it('no token configured: 500, whatever is sent', async () => {
    await stub.administration.patch({ b2b_enabled: true })
    await stub.administration.revokeToken('b2b')
    for (const authorization of [undefined, 'Bearer x', 'Bearer undefined']) {
      expect(await post('/get-brands', authorization)).toEqual([500, body('B2B API token is not configured.')])
    }
  })

  it('the token is accepted, whatever the case of Bearer is, and is not kept', async () => {
    await stub.administration.patch({ b2b_enabled: true })
    const token = await stub.administration.issueToken('b2b')
    expect(await post('/nowhere', `bearer ${token}`)).toEqual([404, body('Not found.')])
    expect(JSON.stringify(stub.settings.current())).not.toContain(token)
  })

  it('missing, malformed or wrong: 401, before 404', async () => {
    await stub.administration.patch({ b2b_enabled: true })
    await stub.administration.issueToken('b2b')
    const erp = await stub.administration.issueToken('erp')
    for (const authorization of [undefined, '', 'Basic x', 'Bearer', 'Bearer a b', 'Bearer wrong', `Bearer ${erp}`]) {
      expect(await post('/nowhere', authorization)).toEqual([401, body('Unauthenticated.')])
    }
  })

  it('limits the requests of a token, after authentication', async () => {
    await stub.administration.patch({ b2b_enabled: true, b2b_rate_limit: 1 })
    const authorization = `Bearer ${await stub.administration.issueToken('b2b')}`
    expect((await post('/nowhere', 'Bearer wrong'))[0]).toBe(401)
    expect((await post('/nowhere', authorization))[0]).toBe(404)
    expect(await post('/nowhere', authorization)).toEqual([429, body('Too many requests.')])
  })
})
