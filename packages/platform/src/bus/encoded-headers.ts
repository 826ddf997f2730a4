import type { MsgHdrs } from '@nats-io/transport-node'

/**
 * Headers that are printed once, as they stand on the wire. Those of the client check and rewrite each name and value letter by
 * letter at each message; of headers that are sent it asks for nothing but `encode`, which a spec on a real bus holds.
 * @throws RangeError when a value would begin a new line
 */
export function encodeHeaders(pairs: ReadonlyArray<readonly [name: string, value: string]>): MsgHdrs {
  let text = 'NATS/1.0\r\n'
  for (const [name, value] of pairs) {
    if (LINE_BREAK.test(value)) throw new RangeError(`The header ${name} must not hold line breaks.`)
    text += `${name}: ${value}\r\n`
  }
  const bytes = Buffer.from(`${text}\r\n`, 'latin1')
  return { encode: () => bytes } as unknown as MsgHdrs
}

const LINE_BREAK = /[\r\n]/
