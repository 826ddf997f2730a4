import { randomUUID } from 'node:crypto'
import { AppError } from '@partsbus/contracts/app-error'
import { busHeaders } from '@partsbus/contracts/message'
import type { Msg, MsgHdrs } from '@nats-io/transport-node'
import type { CallScope } from './call-scope.js'
import { readTimeout } from './call.js'

/** The client decodes headers when they are read, and throws when they are malformed. */
export function checkHeaders(message: Msg): void {
  try {
    void message.headers
  } catch (error) {
    throw new AppError('MALFORMED', 'The headers of the message are malformed.', { cause: error })
  }
}

/** Needed for every message, even with malformed headers, which is answered MALFORMED later. */
export function readHeaders(message: Msg): {
  call: string
  headers: MsgHdrs | undefined
  scope: CallScope
  until: number
} {
  let headers: MsgHdrs | undefined
  try {
    headers = message.headers
  } catch {
    headers = undefined
  }
  const until = performance.now() + readTimeout(headers)
  return {
    call: headers?.get(busHeaders.call) ?? '',
    headers,
    scope: {
      requestId: headers?.get(busHeaders.requestId) || randomUUID(),
      api: headers?.get(busHeaders.api) ?? '',
      caller: headers?.get(busHeaders.caller) ?? '',
      traceparent: headers?.get(busHeaders.traceparent) ?? '',
      until,
    },
    until,
  }
}
