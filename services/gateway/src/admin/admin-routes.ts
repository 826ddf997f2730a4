import { type AdminPath, adminPaths, adminRows } from '@partsbus/contracts/http/admin'
import type { AdminRow } from '@partsbus/contracts/http/row'
import { MAX_SMALL_BODY_BYTES } from '@partsbus/contracts/message'
import { parseJson } from '@partsbus/platform/bus/call'
import { parseAddressList } from '@partsbus/platform/net/address-list'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limitAddresses } from '../addresses/allowed-addresses.js'
import { requestBaseUrl, withBaseUrl } from '../addresses/base-url.js'
import { requestSettings } from '../auth/request-settings.js'
import type { GatewayContext } from '../context.js'
import { isJson, readJsonBytes, readOptionalJson } from '@partsbus/http-guard/read-json-body'
import { createErrorHandler } from '../http/error-handler.js'
import type { Admission } from '@partsbus/http-guard/admission'
import { type ApiAdmissions, SIGN_IN_BODIES } from '../http/limits/api-admissions.js'
import { trackRoutes } from '../http/route-registry.js'
import { adminContext } from './admin-context.js'
import type { AdminCall } from './admin-call.js'
import { adminHandlers, type RawHandler } from './admin-handlers.js'
import { assertOpen, countWrites } from '../settings/maintenance.js'
import { addressKey } from '@partsbus/platform/net/address-key'
import { requestAdministrator } from './administrators/request-administrator.js'
import { hideSecrets } from './audit/hide-secrets.js'
import { callerKey, createAdminAuthentication } from './authenticate-admin.js'
import { assertRole } from './check-role.js'
import { inPageLanguage, refusalInPageLanguage } from './page-language.js'
import { type CommandRow, handleResource } from './resources/handle-resource.js'
import { assertKnownParameters, readInput, type SentInput } from './resources/read-request.js'
import { digestTag, entityTag } from './resources/revisions.js'

/** Handles a request whose JSON body was read, and returns the JSON of the answer. */
type JsonWork = (request: FastifyRequest, reply: FastifyReply, body: unknown) => unknown

/**
 * `/api/admin` (admin.md), made from its rows.
 * @param isDraining true when the process is about to stop; event streams end then
 */
export function adminRoutes(ctx: GatewayContext, isDraining: () => boolean) {
  return async (admin: FastifyInstance): Promise<void> => {
    const trustedProxies = parseAddressList(ctx.config.TRUSTED_PROXIES)
    const handlers = adminHandlers(ctx, isDraining)
    const authenticate = createAdminAuthentication(ctx.accounts)
    admin.setErrorHandler(createErrorHandler('codes', ctx.log, refusalInPageLanguage))
    const unknownRoute = trackRoutes(admin)
    limitAddresses(admin, ctx.config.ADMIN_ALLOWED_IPS)
    countWrites(admin, 'admin', ctx.settings)
    admin.addHook('onRequest', async (request) => {
      await authenticate(request)
      if (request.is404) throw unknownRoute(request)
      assertRole(request)
      request.settings = inPageLanguage(await ctx.settings.fresh(), request.raw)
      assertOpen('admin', request.settings, request)
    })
    admin.setNotFoundHandler((request) => {
      throw unknownRoute(request)
    })

    /** Admits the request, reads its body, and sends the result of the work as JSON. */
    const jsonHandler = (path: AdminPath, row: AdminRow, work: JsonWork): RawHandler => {
      const admission = admissionOf(ctx.admission, path, row)
      return async (request, reply) => {
        const caller = row.role === 'nobody' ? addressKey(request.address) : callerKey(request)
        const run = async (body: unknown): Promise<unknown> => work(request, reply, body)
        const read = row.isBodyOptional ? readOptionalJson : readJsonBytes
        const isRead = row.body !== undefined && !(row.ignoresOtherMedia && !isJson(request))
        let result: unknown
        if (row.role === 'nobody' && row.body) {
          const bytes = await readSignIn(ctx.admission, request, reply)
          result = await admission.run(() => run(parseJson(bytes)), caller)
        } else if (isRead) {
          result = await admission.receive(
            (reserve) => read(request, reply, reserve, MAX_SMALL_BODY_BYTES),
            async (bytes) => run(parseJson(bytes)),
            { caller },
          )
        } else result = await admission.run(() => run(row.body && {}), caller)
        if (isNotModified(request, reply)) return reply.code(304).send()
        reply.code(row.status ?? 200)
        return row.status === 204 ? reply.send() : result
      }
    }

    const jsonWork = (path: AdminPath, row: AdminRow, method: string): JsonWork => {
      return async (request, reply, body) => {
        const { params, query } = request as Pick<SentInput, 'params' | 'query'>
        const ifMatch = request.headers['if-match']
        const input = readInput(row, method, { params, query, body, ifMatch })
        const settings = requestSettings(request)
        if (!row.command) {
          const handle = handlers[path as keyof typeof handlers] as (call: AdminCall<AdminPath>) => unknown
          return handle({ ctx: adminContext(ctx, request), ...input, settings, request, reply } as AdminCall<AdminPath>)
        }
        const response = await handleResource(
          adminContext(ctx, request),
          { path, row: row as CommandRow },
          input,
          settings,
        )
        if (response.revision !== undefined) reply.header('etag', entityTag(response.revision))
        const shown = mayShowSecrets(path, request) ? response.body : hideSecrets(response.body as object)
        if (row.isDigested) reply.header('etag', digestTag(shown))
        return withBaseUrl(shown, () => requestBaseUrl(request.raw, ctx.config.PUBLIC_URL, trustedProxies))
      }
    }

    for (const path of adminPaths) {
      const row: AdminRow = adminRows[path]
      const [method = '', url = ''] = path.split(' ')
      const isRaw = row.file !== undefined || row.media !== undefined
      admin.route({
        method,
        url,
        config: { role: row.role },
        preHandler: async ({ query }) => assertKnownParameters(query as SentInput['query'], row.query),
        // Fastify's HEAD routes would start a stream that nobody reads
        ...(row.media !== undefined && { exposeHeadRoute: false }),
        handler: isRaw
          ? (handlers[path as keyof typeof handlers] as RawHandler)
          : jsonHandler(path, row, jsonWork(path, row, method)),
      })
    }
  }
}

/** Paths of what the administration service stores. */
const OWN = /^[A-Z]+ \/(settings|sessions?|administrators|audit)\b/

/** What waits for others, or for a service, holds up nothing that does not (rules.md#overload). */
function admissionOf(admission: ApiAdmissions, path: AdminPath, { role, waitsForOthers }: AdminRow): Admission {
  if (role === 'nobody') return admission.signIn
  if (waitsForOthers) return admission.adminWaiting
  return OWN.test(path) ? admission.adminOwn : admission.admin
}

/** Addresses may contain secrets, which whoever changes them has to see (admin.md#secrets). */
function mayShowSecrets(path: AdminPath, request: FastifyRequest): boolean {
  return !/^GET \/(price-lists|storages|media-jobs)\b/.test(path) || requestAdministrator(request).role !== 'viewer'
}

function readSignIn(
  { signInBodies }: ApiAdmissions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Uint8Array> {
  return signInBodies.receive(request, (signal) =>
    readJsonBytes(request, reply, () => undefined, SIGN_IN_BODIES.bodyBytes, { signal }),
  )
}

/** Whether the client has the answer already: the handler set its ETag, and the client sent the same. */
function isNotModified({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  const etag = reply.getHeader('etag')
  const sent = headers['if-none-match']?.split(',').map((each) => each.trim().replace(/^W\//, ''))
  return etag !== undefined && sent?.includes(String(etag)) === true
}
