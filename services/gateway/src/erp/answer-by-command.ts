import { check } from '@partsbus/contracts/check'
import type { ErpRow } from '@partsbus/contracts/http/row'
import { type Command, MAX_SMALL_BODY_BYTES } from '@partsbus/contracts/message'
import { parseJson } from '@partsbus/platform/bus/call'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readParams, readQuery, type SentInput } from '../admin/resources/read-request.js'
import type { GatewayContext } from '../context.js'
import { readJsonBytes } from '@partsbus/http-guard/read-json-body'
import { withRequestScope } from '../http/request-calls.js'

/** A handler that checks a small request by the schemas of its row, and asks the command of the row. */
export function answerByCommand(ctx: GatewayContext, row: ErpRow & { command: Command }) {
  const { admission } = ctx
  const ask = async (request: FastifyRequest, body: unknown): Promise<unknown> => {
    const sent = request as Pick<SentInput, 'params' | 'query'>
    const query = row.query && check(row.query, readQuery(sent.query, row.query))
    const data = row.body && (check(row.body, body) as object)
    const asked = { ...readParams(row, sent.params), ...query, ...data }
    const { calls } = withRequestScope(ctx, request)
    return calls.request(row.command, asked, row.timeoutMs === undefined ? {} : { timeoutMs: row.timeoutMs })
  }
  return (request: FastifyRequest, reply: FastifyReply): Promise<unknown> =>
    row.body
      ? admission.erp.receive(
          (reserve) => readJsonBytes(request, reply, reserve, MAX_SMALL_BODY_BYTES),
          async (body) => ask(request, parseJson(body)),
        )
      : admission.erp.run(() => ask(request, undefined))
}
