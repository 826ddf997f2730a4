import type { OpenSession } from '@partsbus/contracts/administration/accounts'
import type { AdministratorRole } from '@partsbus/contracts/administration/administrator'
import type { FastifyInstance } from 'fastify'

/** The administrator who sent a request. */
export interface Administrator {
  /** null: the holder of ADMIN_TOKEN */
  id: number | null
  name: string
  displayName: string
  role: AdministratorRole
  /** null: a bearer token instead of a session */
  sessionId: string | null
}

/** A bearer of ADMIN_TOKEN (admin.md#auth). */
export const tokenHolder: Administrator = {
  id: null,
  name: 'admin',
  displayName: 'admin',
  role: 'owner',
  sessionId: null,
}

/** Whose request needs no credential: a sign-in that is not decided yet. */
export const anonymous: Pick<Administrator, 'id' | 'name'> = { id: null, name: 'anonymous' }

export function administratorOf({ session, administrator }: OpenSession): Administrator {
  if (!administrator) return { ...tokenHolder, sessionId: session.id }
  const { id, name, display_name, role } = administrator
  return { id, name, displayName: display_name, role, sessionId: session.id }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** set by the authentication of `/api/admin` */
    administrator: Administrator | undefined
    /** the session that authenticated the request; undefined for a bearer token */
    openSession: OpenSession | undefined
  }
}

export function decorateRequestAdministrator(app: FastifyInstance): void {
  app.decorateRequest('administrator')
  app.decorateRequest('openSession')
}

/** The administrator as whom a request of `/api/admin` was authenticated. */
export function requestAdministrator(request: { administrator: Administrator | undefined }): Administrator {
  if (!request.administrator) throw new Error('the route has no authentication')
  return request.administrator
}
