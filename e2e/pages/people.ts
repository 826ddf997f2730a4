import { randomUUID } from 'node:crypto'
import type { ApiClient } from '../testing/api-client.js'
import { expectStatus } from '../testing/shop.js'

export type Role = 'viewer' | 'manager' | 'owner'

let count = 0

export interface Person {
  id: number
  name: string
  password: string
}

/** Invites a person by the API. */
async function invite(admin: ApiClient, role: Role): Promise<{ id: number; name: string; token: string }> {
  count += 1
  // all spec files share one product
  const name = `person-${randomUUID().slice(0, 8)}`
  const answer = await admin.post<{ id: number; invitation: { token: string } }>('/administrators', {
    name,
    display_name: `Person ${count}`,
    role,
    is_active: true,
  })
  expectStatus(answer, 201)
  return { id: answer.body.id, name, token: answer.body.invitation.token }
}

/** A person who has set a password. */
export async function createPerson(admin: ApiClient, origin: string, role: Role): Promise<Person> {
  const { id, name, token } = await invite(admin, role)
  const password = `password of ${name}`
  const answer = await fetch(`${origin}/api/admin/invitation`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ token, password }),
  })
  if (answer.status !== 200) throw new Error(`invitation: ${answer.status} ${await answer.text()}`)
  return { id, name, password }
}
