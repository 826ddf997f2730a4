const FIELD = Buffer.from(',"suppliers":"')
const END = Buffer.from('"}')
const OUTCOMES = /^[0-9a-z=,]*$/

/**
 * Takes the field `suppliers` out of a reply of the search. It stands last, so that the rest can be passed on as it is, unparsed:
 * inside of a JSON text its name would have its quotes escaped.
 */
export function takeSuppliers(bytes: Uint8Array): { suppliers: string; answer: Buffer } {
  const reply = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const at = reply.lastIndexOf(FIELD)
  if (at > 0 && reply.subarray(-END.length).equals(END)) {
    const suppliers = reply.toString('latin1', at + FIELD.length, reply.length - END.length)
    if (OUTCOMES.test(suppliers)) return { suppliers, answer: Buffer.concat([reply.subarray(0, at), END.subarray(1)]) }
  }
  const { suppliers, ...answer } = JSON.parse(reply.toString('utf8')) as { suppliers: string }
  return { suppliers, answer: Buffer.from(JSON.stringify(answer)) }
}
