import type { FastifyInstance } from 'fastify'

export type Role = 'owner' | 'manager' | 'viewer'

/** The administrator who sent a request. */
export interface Administrator {
  /** null: the holder of ADMIN_TOKEN */
  id: number | null
  name: string
  displayName: string
  role: Role
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

declare module 'fastify' {
  interface FastifyRequest {
    /** set by the authentication of `/api/admin` */
    administrator: Administrator | undefined
  }
}

export function decorateRequestAdministrator(app: FastifyInstance): void {
  app.decorateRequest('administrator')
}

/** The administrator as whom a request of `/api/admin` was authenticated. */
export function requestAdministrator(request: { administrator: Administrator | undefined }): Administrator {
  if (!request.administrator) throw new Error('the route has no authentication')
  return request.administrator
}
