import { BSON, type Document } from 'mongodb'

const OP_REPLY = 1
const OP_QUERY = 2004
const OP_MSG = 2013
const HEADER = 16
const TYPED = { promoteValues: false, promoteBuffers: false }

/** A message of the MongoDB wire protocol. */
export interface WireMessage {
  raw: Buffer
  id: number
  replyTo: number
  opCode: number
  /** the command or the reply, with the types of BSON */
  document: Document
  /** what follows the document: the sequences of documents of a bulk write */
  rest: Buffer
  /** number of documents in these */
  documents: number
}

/** Splits a stream of bytes into messages. */
export class WireReader {
  private pending = Buffer.alloc(0)

  push(chunk: Buffer): WireMessage[] {
    this.pending = Buffer.concat([this.pending, chunk])
    const messages: WireMessage[] = []
    while (this.pending.length >= HEADER && this.pending.length >= this.pending.readInt32LE(0)) {
      const length = this.pending.readInt32LE(0)
      messages.push(parse(this.pending.subarray(0, length)))
      this.pending = this.pending.subarray(length)
    }
    return messages
  }
}

/** The same message with another document. */
export function withDocument(message: WireMessage, document: Document): Buffer {
  return encode(message, document, message.rest)
}

/** A reply to a command, in its form. */
export function replyTo(command: WireMessage, document: Document): Buffer {
  const opCode = command.opCode === OP_QUERY ? OP_REPLY : OP_MSG
  return encode({ id: 0, replyTo: command.id, opCode }, document)
}

function parse(raw: Buffer): WireMessage {
  const start = bodyStart(raw)
  const end = start + raw.readInt32LE(start)
  const rest = raw.subarray(end)
  return {
    raw,
    id: raw.readInt32LE(4),
    replyTo: raw.readInt32LE(8),
    opCode: raw.readInt32LE(12),
    document: BSON.deserialize(raw.subarray(start, end), TYPED),
    rest,
    documents: countDocuments(rest),
  }
}

function bodyStart(raw: Buffer): number {
  const opCode = raw.readInt32LE(12)
  if (opCode === OP_MSG) return HEADER + 5
  if (opCode === OP_REPLY) return HEADER + 20
  if (opCode === OP_QUERY) return raw.indexOf(0, HEADER + 4) + 9
  throw new Error(`unexpected opCode ${opCode}`)
}

function countDocuments(sections: Buffer): number {
  let count = 0
  for (let at = 0; at < sections.length;) {
    const end = at + 1 + sections.readInt32LE(at + 1)
    for (at = sections.indexOf(0, at + 5) + 1; at < end; at += sections.readInt32LE(at)) count += 1
  }
  return count
}

function encode(
  { id, replyTo, opCode }: Pick<WireMessage, 'id' | 'replyTo' | 'opCode'>,
  document: Document,
  rest: Buffer = Buffer.alloc(0),
): Buffer {
  const prefix = Buffer.alloc(opCode === OP_MSG ? HEADER + 5 : HEADER + 20)
  const body = BSON.serialize(document)
  prefix.writeInt32LE(prefix.length + body.length + rest.length, 0)
  prefix.writeInt32LE(id, 4)
  prefix.writeInt32LE(replyTo, 8)
  prefix.writeInt32LE(opCode, 12)
  // a reply has one document
  if (opCode === OP_REPLY) prefix.writeInt32LE(1, HEADER + 16)
  return Buffer.concat([prefix, body, rest])
}
