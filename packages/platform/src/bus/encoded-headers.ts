import type { MsgHdrs } from '@nats-io/transport-node'

/**
 * Encodes headers as they are on the wire. The client checks and rewrites each name and value letter by letter for
 * every message; of headers to be sent it calls nothing but `encode`, which a test on a real bus verifies.
 * @throws RangeError when a value contains a line break
 */
export function encodeHeaders(pairs: ReadonlyArray<readonly [name: string, value: string]>): MsgHdrs {
  let text = 'NATS/1.0\r\n'
  for (const [name, value] of pairs) {
    if (LINE_BREAK.test(value)) throw new RangeError(`The header ${name} must not contain line breaks.`)
    text += `${name}: ${value}\r\n`
  }
  const bytes = Buffer.from(`${text}\r\n`, 'latin1')
  return { encode: () => bytes } as unknown as MsgHdrs
}

const LINE_BREAK = /[\r\n]/
